#pragma once

#include "solver/contact/contact_plane.h"

namespace dashpot {

// The force on a point that would be at `free` without it and moves by `compliance` (m/N) times the
// force: the minimiser of |y - free|^2 / (2 compliance) + mu f_n |T (y - rest)| over y in front of
// the plane, where f_n is this force's own normal part (Brown et al. 2018 (58), (59), nothing
// lagged).
inline Vec3 contact_force(const ContactPlane& plane, const Vec3& free, double compliance) {
  const double depth = plane.offset - plane.normal.dot(free);
  if (depth <= 0) return Vec3::Zero();
  const double pressure = depth / compliance;
  const Vec3 slip = free - plane.rest;
  const Vec3 along = slip - plane.normal.dot(slip) * plane.normal;
  const double length = along.norm();
  const double held = length <= plane.friction * depth ? 1 : plane.friction * depth / length;
  return pressure * plane.normal - (held / compliance) * along;
}

}  // namespace dashpot
