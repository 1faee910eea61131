#pragma once

#include "solver/base/types.h"

namespace dashpot {

// One point against one plane: it stays in front, and what the plane's pressure allows of friction
// holds it at `rest`.
struct ContactPlane {
  Vec3 normal = Vec3::Zero();
  double offset = 0;         // normal . y >= offset
  Vec3 rest = Vec3::Zero();  // where friction wants it; only its part along the plane counts
  double friction = 0;       // Coulomb's coefficient

  // Gap (along the normal) and slip (along the plane) as one vector.
  Vec3 gap_and_slip(const Vec3& y) const {
    const Vec3 slip = y - rest;
    return slip + (normal.dot(rest) - offset) * normal;
  }
};

}  // namespace dashpot
