#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace dashpot {

// The largest file that is read whole: 16 GB, or half of what this machine has.
std::uintmax_t largest_file();

// Throws InputError, saying what it is, unless it is a regular file of at most `limit` bytes:
// devices and pipes may never end, or never begin.
void require_regular_file(const std::filesystem::path& path, std::uintmax_t limit = largest_file());

// The whole file as bytes. Throws InputError if it cannot be read, or has more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit = largest_file());

}  // namespace dashpot
