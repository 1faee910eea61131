#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace dashpot {

// The extension in lower case, for example ".msh".
std::string extension_of(const std::filesystem::path& path);

// Throws InputError if the name of a file to write ends in none of these: what is in a file must be
// what its name says. `option` says who named it: "--output".
void require_ending(const std::filesystem::path& path, const std::vector<std::string>& endings,
                    const std::string& option);

}  // namespace dashpot
