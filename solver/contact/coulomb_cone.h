#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "solver/base/types.h"

namespace dashpot {

enum class ConeStatus : char { kOpen, kSlide, kStick };

// The nearest point of the Coulomb cone K = {f: |f_T| <= mu f_N} to p, and the derivative of that
// map: the identity where p sticks, zero where it is open, and else
//   g g^T + shrink b b^T,   g the generator of the cone under p, b the side direction n x t.
struct ConeProjection {
  Vec3 force = Vec3::Zero();
  Vec3 generator = Vec3::Zero(), side = Vec3::Zero();  // of unit length, where it slides
  double shrink = 0;                                   // mu rho / |p_T|
  ConeStatus status = ConeStatus::kOpen;

  // Without friction, and on a blunt cone, the side direction is out of the derivative's range.
  bool has_side() const {
    constexpr double kLeast = 1e-6;
    return shrink > kLeast;
  }
  // The part of v in the range of the derivative.
  Vec3 in_range(const Vec3& v) const {
    if (status == ConeStatus::kStick) return v;
    if (status == ConeStatus::kOpen) return Vec3::Zero();
    const Vec3 along = generator.dot(v) * generator;
    return has_side() ? Vec3(along + side.dot(v) * side) : along;
  }
  // The inverse of the derivative, of v in its range.
  Vec3 unproject(const Vec3& v) const {
    if (status != ConeStatus::kSlide || !has_side()) return v;
    return v + (1 / shrink - 1) * side.dot(v) * side;
  }
  Vec3 derivative(const Vec3& v) const {
    if (status != ConeStatus::kSlide) return in_range(v);
    return generator.dot(v) * generator + shrink * side.dot(v) * side;
  }
};

inline ConeProjection project_on_cone(const Vec3& normal, double friction, const Vec3& p) {
  ConeProjection result;
  const double pressure = normal.dot(p);
  const Vec3 along = p - pressure * normal;
  const double length = along.norm();
  if (friction > 0 && pressure > 0 && length <= friction * pressure) {
    result.status = ConeStatus::kStick;
    result.force = p;
    return result;
  }
  const double rho = (pressure + friction * length) / (1 + friction * friction);
  if (rho <= 0) return result;
  result.status = ConeStatus::kSlide;
  const Vec3 direction = length > 0 ? Vec3(along / length) : Vec3::Zero();
  result.generator = normal + friction * direction;
  result.force = rho * result.generator;
  result.generator /= std::sqrt(1 + friction * friction);
  result.side = normal.cross(direction);
  result.shrink = length > 0 ? friction * rho / length : 0;
  return result;
}

}  // namespace dashpot
