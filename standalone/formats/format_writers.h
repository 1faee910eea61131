#pragma once

#include <string>

#include "standalone/formats/tet_geometry.h"

namespace dashpot {

// One writer per format: the whole file. Points must be finite; write_tet_geometry() sees to it.
std::string node_text(const TetGeometry& geometry);
std::string ele_text(const TetGeometry& geometry);
std::string gmsh_text(const TetGeometry& geometry);
std::string medit_text(const TetGeometry& geometry);
std::string vega_text(const TetGeometry& geometry);
std::string mesh_frame_text(const TetGeometry& geometry);

}  // namespace dashpot
