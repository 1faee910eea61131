#pragma once

#include <array>

#include "solver/base/types.h"

namespace dashpot {

// What touches, as a combination of up to four points: D x = sum of weight x(point). A point on an
// obstacle has one weight, 1; between bodies it is the place on the first side minus that on the
// second, and the weights sum to 0.
struct ContactStencil {
  std::array<int, 4> point{};  // of the simulation
  std::array<double, 4> weight{1, 0, 0, 0};
  int count = 1;

  Vec3 place(const Points& x) const {
    Vec3 sum = weight[0] * x.col(point[0]);
    for (int k = 1; k < count; ++k) sum += weight[k] * x.col(point[k]);
    return sum;
  }
  // A force on the first side, as forces on the points.
  void add(const Vec3& force, Points& forces) const {
    for (int k = 0; k < count; ++k) forces.col(point[k]) += weight[k] * force;
  }

  bool operator==(const ContactStencil& other) const {
    return point == other.point && weight == other.weight && count == other.count;
  }
};

}  // namespace dashpot
