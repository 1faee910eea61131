#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "solver/base/types.h"
#include "standalone/formats/level_set_shapes.h"

namespace dashpot {

struct SurfaceMesh {
  Points points;
  std::vector<Triangle> triangles;  // outwards
};

// The surface of a level set, for pictures. `adaptivity` in 0..1 joins triangles that are nearly in
// one plane, the more the larger it is.
SurfaceMesh level_set_mesh(const LevelSetShape& shape, double adaptivity = 0);
// Of a file's grid `grid`, or of its first level set if that is empty.
SurfaceMesh level_set_mesh(const std::filesystem::path& path, const std::string& grid,
                           double adaptivity = 0);

}  // namespace dashpot
