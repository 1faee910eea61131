#pragma once

#include <filesystem>
#include <string_view>

namespace dashpot {

// Writes the bytes to a temporary name in the same directory, flushes them to disk and renames:
// whoever looks at `path` sees the old file, the new file, or none, never a part. On failure
// throws InputError with the path and the system's reason, and leaves nothing behind.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace dashpot
