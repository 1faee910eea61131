#pragma once

#include <algorithm>
#include <cmath>

namespace dashpot {

// The coefficients of two bodies that touch, from those of each. Contact with a collider has those
// of the collider.

// Coulomb's coefficient: the geometric mean, so that anything slides on ice (0) and two alike keep
// theirs. What points say (the attribute friction) multiplies, as it does with colliders.
inline double pair_friction(double one, double other, double multiplier_of_one = 1,
                            double multiplier_of_other = 1) {
  return std::sqrt(one * other) * multiplier_of_one * multiplier_of_other;
}

// Restitution: the larger one, so that a ball that bounces does so on whatever it hits. By default
// bodies have none, and any mean would take from the ball what it was given.
inline double pair_restitution(double one, double other) {
  return std::max(one, other);
}

}  // namespace dashpot
