#include "solver/simulation/points_in_motion.h"

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <utility>

namespace dashpot {

PointsInMotion::PointsInMotion(const std::vector<double>& mass, const Points& x, const Points& v,
                               std::vector<int> points)
    : x_(x), points_(std::move(points)) {
  for (const int i : points_) {
    mass_ += mass[i];
    momentum_ += mass[i] * v.col(i);
    center_ += mass[i] * x.col(i);
    kinetic_ += 0.5 * mass[i] * v.col(i).squaredNorm();
  }
  if (!(mass_ > 0)) return;
  velocity_ = momentum_ / mass_;
  center_ /= mass_;
  for (const int i : points_) {
    const Vec3 arm = x.col(i) - center_;
    angular_ += mass[i] * arm.cross(Vec3(v.col(i)));
    inertia_ += mass[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  // Points in a line cannot turn about it.
  inertia_.diagonal().array() += 1e-12 * inertia_.trace();
  spin_ = spin_of(angular_);
  for (const int i : points_)
    vibration_ +=
        0.5 * mass[i] * (Vec3(v.col(i)) - kept_velocity(Kept::kRigid, x.col(i))).squaredNorm();
}

Vec3 PointsInMotion::spin_of(const Vec3& angular) const {
  const Vec3 spin = inertia_.ldlt().solve(angular);
  return spin.allFinite() ? spin : Vec3(Vec3::Zero());
}

void PointsInMotion::add_spin(const Vec3& angular, Points& v) const {
  const Vec3 spin = spin_of(angular);
  for (const int i : points_) v.col(i) += spin.cross(Vec3(x_.col(i)) - center_);
}

double PointsInMotion::kinetic_besides(Kept kept) const {
  if (kept == Kept::kRigid) return vibration_;
  return kept == Kept::kMean ? kinetic_ - 0.5 * momentum_.dot(velocity_) : kinetic_;
}

Vec3 PointsInMotion::kept_velocity(Kept kept, const Vec3& x) const {
  if (kept == Kept::kNothing) return Vec3::Zero();
  return kept == Kept::kMean ? velocity_ : Vec3(velocity_ + spin_.cross(x - center_));
}

void PointsInMotion::slow_down(double share, Kept kept, const std::vector<char>& pinned,
                               Points& v) const {
  for (const int i : points_) {
    if (pinned[i]) continue;
    const Vec3 around = kept_velocity(kept, x_.col(i));
    v.col(i) = around + share * (Vec3(v.col(i)) - around);
  }
}

}  // namespace dashpot
