#pragma once

#include <filesystem>

#include "standalone/formats/tet_geometry.h"

namespace dashpot {

// One reader per format, each in the file of its name; read_tet_geometry() chooses among them.
TetGeometry read_node_ele(const std::filesystem::path& path);
TetGeometry read_gmsh(const std::filesystem::path& path);
TetGeometry read_medit(const std::filesystem::path& path);
TetGeometry read_vega(const std::filesystem::path& path);
TetGeometry read_mesh_frame(const std::filesystem::path& path);

}  // namespace dashpot
