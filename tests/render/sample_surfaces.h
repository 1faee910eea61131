#pragma once

#include <cmath>

#include "standalone/render/picture.h"

namespace dashpot {

inline Surface cube(const Vec3& centre, double half) {
  Surface cube;
  cube.points.resize(3, 8);
  for (int i = 0; i < 8; ++i)
    cube.points.col(i) = centre + half * Vec3((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1);
  cube.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return cube;
}

// Rings of latitude with a point at each pole.
inline Surface sphere(const Vec3& centre, double radius, int rings = 16) {
  Surface sphere;
  const int around = 2 * rings;
  sphere.points.resize(3, (rings - 1) * around + 2);
  for (int i = 1; i < rings; ++i)
    for (int j = 0; j < around; ++j) {
      const double polar = EIGEN_PI * i / rings, turn = 2 * EIGEN_PI * j / around;
      sphere.points.col((i - 1) * around + j) =
          centre + radius * Vec3(std::sin(polar) * std::sin(turn), std::cos(polar),
                                 std::sin(polar) * std::cos(turn));
    }
  const int top = (rings - 1) * around, bottom = top + 1, last = (rings - 2) * around;
  sphere.points.col(top) = centre + radius * Vec3::UnitY();
  sphere.points.col(bottom) = centre - radius * Vec3::UnitY();
  for (int j = 0; j < around; ++j) {
    const int k = (j + 1) % around;
    sphere.triangles.push_back({top, j, k});
    sphere.triangles.push_back({bottom, last + k, last + j});
    for (int row = 0; row < last; row += around) {
      sphere.triangles.push_back({row + j, row + around + j, row + around + k});
      sphere.triangles.push_back({row + j, row + around + k, row + k});
    }
  }
  return sphere;
}

}  // namespace dashpot
