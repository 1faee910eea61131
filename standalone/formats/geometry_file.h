#pragma once

#include <filesystem>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// Any file that holds geometry. Houdini's (.geo, .bgeo, .bgeo.sc, .bgeo.gz) are recognised by their
// content; others by extension, see mesh_reader.h. Throws InputError, one sentence that names the
// file.
Geometry read_geometry_file(const std::filesystem::path& path);

}  // namespace dashpot
