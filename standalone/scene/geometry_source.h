#pragma once

#include <filesystem>
#include <string>

#include "standalone/formats/tet_geometry.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {

// The `geometry` of a body: a mesh file, relative to `folder`, or a built-in shape. `description`
// receives the path or the shape's type.
TetGeometry read_geometry_source(const TableReader& body, const std::filesystem::path& folder,
                                 std::string& description);

}  // namespace dashpot
