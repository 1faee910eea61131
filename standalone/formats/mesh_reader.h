#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standalone/files/file_ending.h"
#include "standalone/formats/tet_geometry.h"

namespace dashpot {

// Reads a tet mesh; the extension says which format:
//   .node or .ele   TetGen, either name finds the other beside it; numbered from 0 or 1
//   .msh            Gmsh 2.2 or 4.1, ASCII; 4-node tets, physical volumes become tet groups
//   .mesh           Medit ASCII
//   .veg            Vega; sets become tet groups
//   .t              MeshFrame
// Throws InputError, one sentence naming the file and line, for anything that it cannot read.
// Every index is within range afterwards; positions may still be nan or inf.
TetGeometry read_tet_geometry(const std::filesystem::path& path);

// Whether the extension is one of these.
bool is_mesh_file(const std::filesystem::path& path);
// The files that belong together: NAME.node and NAME.ele, in this order; otherwise the file itself.
std::vector<std::filesystem::path> files_of_mesh(const std::filesystem::path& path);

}  // namespace dashpot
