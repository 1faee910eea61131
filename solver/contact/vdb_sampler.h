#pragma once

#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>

#include <algorithm>
#include <cmath>

#include "solver/base/types.h"

namespace dashpot {

// What a level set says at a place. Gradients are per metre and point outwards.
struct LevelSetValue {
  double value = 0;
  Vec3 gradient = Vec3::Zero();   // as smooth as can be
  Vec3 steepness = Vec3::Zero();  // the exact derivative of the value, which jumps between voxels
};

// Looks values of one level set up, with the memory of the last place that makes neighbours cheap.
// For one thread.
template <class Grid>
class VdbSampler {
 public:
  explicit VdbSampler(const Grid& grid)
      : transform_(grid.transform()), accessor_(grid.getConstAccessor()) {
    // Rows of the map from world to index space turn gradients per voxel into such per metre.
    const openvdb::Vec3d origin = transform_.worldToIndex(openvdb::Vec3d(0, 0, 0));
    for (int c = 0; c < 3; ++c) {
      openvdb::Vec3d unit(0, 0, 0);
      unit[c] = 1;
      const openvdb::Vec3d column = transform_.worldToIndex(unit) - origin;
      for (int r = 0; r < 3; ++r) to_index_(r, c) = column[r];
    }
  }

  Vec3 to_index(const Vec3& x) const {
    const openvdb::Vec3d i = transform_.worldToIndex(openvdb::Vec3d(x.x(), x.y(), x.z()));
    return {i.x(), i.y(), i.z()};
  }

  // Trilinear.
  double value(const Vec3& x) {
    const Cell cell = cell_of(x);
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) sum += cell.share(corner) * at(cell.corner(corner));
    return sum;
  }

  // The gradient is that of central differences, interpolated, so that the normal turns without
  // steps from voxel to voxel; exact where the values are linear.
  LevelSetValue value_and_gradient(const Vec3& x) {
    const Cell cell = cell_of(x);
    double v[4][4][4];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) {
          const bool outer_i = i == 0 || i == 3, outer_j = j == 0 || j == 3;
          const bool outer_k = k == 0 || k == 3;
          if (outer_i + outer_j + outer_k < 2)
            v[i][j][k] = at(cell.base.offsetBy(i - 1, j - 1, k - 1));
        }
    LevelSetValue result;
    Vec3 gradient = Vec3::Zero(), steepness = Vec3::Zero();
    for (int corner = 0; corner < 8; ++corner) {
      const int i = 1 + (corner & 1), j = 1 + (corner >> 1 & 1), k = 1 + (corner >> 2);
      const double share = cell.share(corner);
      result.value += share * v[i][j][k];
      gradient +=
          (0.5 * share) * Vec3(v[i + 1][j][k] - v[i - 1][j][k], v[i][j + 1][k] - v[i][j - 1][k],
                               v[i][j][k + 1] - v[i][j][k - 1]);
      steepness += v[i][j][k] * cell.share_derivative(corner);
    }
    result.gradient = to_index_.transpose() * gradient;
    result.steepness = to_index_.transpose() * steepness;
    return result;
  }

 private:
  struct Cell {
    openvdb::Coord base;
    Vec3 part;
    openvdb::Coord corner(int c) const { return base.offsetBy(c & 1, c >> 1 & 1, c >> 2); }
    double share(int c) const {
      return (c & 1 ? part.x() : 1 - part.x()) * (c >> 1 & 1 ? part.y() : 1 - part.y()) *
             (c >> 2 ? part.z() : 1 - part.z());
    }
    Vec3 share_derivative(int c) const {
      const Vec3 up(c & 1, c >> 1 & 1, c >> 2), sign = 2 * up - Vec3::Ones();
      const Vec3 own = Vec3::Ones() - up + sign.cwiseProduct(part);
      return sign.cwiseProduct(Vec3(own.y() * own.z(), own.z() * own.x(), own.x() * own.y()));
    }
  };

  Cell cell_of(const Vec3& x) const {
    const Vec3 index = to_index(x);
    // Far outside the range of coordinates nothing is stored.
    constexpr double kLimit = 1e9;
    Vec3 low;
    for (int d = 0; d < 3; ++d) low[d] = std::floor(std::clamp(index[d], -kLimit, kLimit));
    return {openvdb::Coord(static_cast<int>(low.x()), static_cast<int>(low.y()),
                           static_cast<int>(low.z())),
            (index - low).cwiseMax(0).cwiseMin(1)};
  }

  double at(const openvdb::Coord& c) { return static_cast<double>(accessor_.getValue(c)); }

  const openvdb::math::Transform& transform_;
  typename Grid::ConstAccessor accessor_;
  Mat3 to_index_;
};

}  // namespace dashpot
