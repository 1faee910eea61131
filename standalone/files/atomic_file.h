#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace dashpot {

// Writes the bytes to a temporary name in the same directory, flushes them to disk and renames:
// whoever looks at `path` sees the old file, the new file, or none, never a part. On failure
// throws InputError with the path and the system's reason, and leaves nothing behind.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The file whose writing was cut off by a kill, if `path` is what that leaves; else empty.
std::string target_of_temporary(const std::string& path);

}  // namespace dashpot
