#pragma once

#include "solver/base/types.h"

namespace dashpot {

// Sign of det[b - a, c - a, d - a], exact for the doubles given: 1, 0 or -1.
int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

}  // namespace dashpot
