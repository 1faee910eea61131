#include "solver/simulation/points_in_motion.h"

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <utility>

namespace dashpot {

PointsInMotion::PointsInMotion(const std::vector<double>& mass, const State& state,
                               std::vector<int> points)
    : x_(state.x), points_(std::move(points)) {
  double all = 0;
  for (const int i : points_) {
    all += mass[i];
    momentum_ += mass[i] * state.v.col(i);
    center_ += mass[i] * x_.col(i);
    kinetic_ += 0.5 * mass[i] * state.v.col(i).squaredNorm();
  }
  if (!(all > 0)) return;
  velocity_ = momentum_ / all;
  center_ /= all;
  Vec3 angular = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (const int i : points_) {
    const Vec3 arm = x_.col(i) - center_;
    angular += mass[i] * arm.cross(Vec3(state.v.col(i)));
    inertia += mass[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  // Points in a line cannot turn about it.
  inertia.diagonal().array() += 1e-12 * inertia.trace();
  spin_ = inertia.ldlt().solve(angular);
  if (!spin_.allFinite()) spin_.setZero();
  for (const int i : points_)
    vibration_ +=
        0.5 * mass[i] * (Vec3(state.v.col(i)) - rigid_velocity(x_.col(i))).squaredNorm();
}

void PointsInMotion::slow_down(double share, bool keeps_rigid, const std::vector<char>& pinned,
                               Points& v) const {
  for (const int i : points_) {
    if (pinned[i]) continue;
    const Vec3 around = keeps_rigid ? rigid_velocity(x_.col(i)) : Vec3::Zero().eval();
    v.col(i) = around + share * (Vec3(v.col(i)) - around);
  }
}

}  // namespace dashpot
