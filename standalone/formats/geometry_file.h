#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// Any file that holds geometry. Houdini's (.geo, .bgeo, .bgeo.sc, .bgeo.gz) are recognised by their
// content; others by extension, see mesh_reader.h. Throws InputError, one sentence that names the
// file.
Geometry read_geometry_file(const std::filesystem::path& path);

// Writes the format that the name says: Houdini's as they are, mesh files through mesh_writer.h.
// Returns one sentence for each thing that the format cannot keep. Throws InputError.
std::vector<std::string> write_geometry_file(const std::filesystem::path& path,
                                             const Geometry& geometry);

// Reads one file and writes the other; returns the sentences of both. Between Houdini's files and
// mesh files the tets change to the orientation that is the custom there. Throws InputError, also
// if both are the same file.
std::vector<std::string> convert_geometry_file(const std::filesystem::path& from,
                                               const std::filesystem::path& to);

}  // namespace dashpot
