#pragma once

#include <array>
#include <cstddef>

#include "solver/base/types.h"

namespace dashpot {

// A place on a body that touches something: up to four vertices with weights that sum to one. A
// vertex itself is the case of one. Vertices are places of four doubles in the solver's arrays.
struct ContactStencil {
  std::array<int, 4> vertex{};
  std::array<double, 4> weight{1, 0, 0, 0};
  int count = 1;

  Vec3 place(const double* x) const {
    Vec3 sum = weight[0] * Vec3::Map(x + vertex[0]);
    for (int k = 1; k < count; ++k) sum += weight[k] * Vec3::Map(x + vertex[k]);
    return sum;
  }
  // A force on the place, as forces on the vertices.
  void add(const Vec3& force, double* forces) const {
    for (int k = 0; k < count; ++k) Vec3::Map(forces + vertex[k]) += weight[k] * force;
  }
};

}  // namespace dashpot
