#pragma once

#include <filesystem>
#include <string>

#include "standalone/files/file_digest.h"
#include "standalone/geometry/container.h"
#include "standalone/geometry/geometry.h"

namespace dashpot {

// Writes the file under a temporary name and renames it; form_for(path) says in which form.
// Throws InputError if it cannot be written, or if a text file would have to hold nan or inf.
FileDigest write_geometry(const std::filesystem::path& path, const Geometry& geometry);

// The same into memory: the whole file, and before compression.
std::string encode_geometry(const Geometry& geometry, FileForm form);
std::string encode_payload(const Geometry& geometry, bool binary);

}  // namespace dashpot
