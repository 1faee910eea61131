#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "standalone/render/picture.h"

namespace dashpot {

// Neighbouring triangles that meet at a sharper angle keep a hard edge between them.
constexpr double kCreaseDegrees = 40;

struct ShadingNormals {
  std::vector<Eigen::Vector3f> normals;     // unit length
  std::vector<std::array<int, 3>> corners;  // per triangle: which normal each corner uses
};

// Area-weighted mean normals around each point, one for every fan of triangles that is connected
// without crossing a crease: a ball comes out smooth, a box keeps its edges.
ShadingNormals shading_normals(const Points& points, const std::vector<Triangle>& triangles);

}  // namespace dashpot
