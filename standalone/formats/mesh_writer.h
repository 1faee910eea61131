#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standalone/formats/tet_geometry.h"

namespace dashpot {

// Writes a tet mesh in the format that the extension names, see mesh_reader.h; both files of
// .node/.ele. Tets are oriented positively (see orient()), numbers read back exactly, and each file
// appears whole or not at all. Returns one sentence for each thing that the format cannot keep.
// Throws InputError if there are no tets, if a position is not finite, or if it cannot be written.
std::vector<std::string> write_tet_geometry(const std::filesystem::path& path,
                                            TetGeometry geometry);

// "point groups left out, which .t files cannot hold: pins, skin"
std::string left_out(const std::string& what, const std::vector<std::string>& names,
                     const std::string& extension);

}  // namespace dashpot
