#include "solver/kinematics/pin_motion.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

constexpr double kTwoPi = 6.283185307179586;

Mat3 rotation(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  if (angle == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, rotation_vector / angle).toRotationMatrix();
}

}  // namespace

void RigidMotion::targets(double time, const Points& initial, Points& x, Points& v) const {
  const double s = std::min(std::max(time, start), end) - start;
  const bool moving = time >= start && time < end;
  const double phase = kTwoPi * frequency * s;
  const Vec3 shift = velocity * s + amplitude * std::sin(phase);
  const Vec3 shift_rate = velocity + amplitude * (kTwoPi * frequency * std::cos(phase));
  const Mat3 turn = rotation(angular_velocity * s);
  x.resize(3, initial.cols());
  v.setZero(3, initial.cols());
  for (Eigen::Index i = 0; i < initial.cols(); ++i) {
    const Vec3 arm = turn * (initial.col(i) - pivot);
    x.col(i) = pivot + arm + shift;
    if (moving) v.col(i) = shift_rate + angular_velocity.cross(arm);
  }
}

RigidPose RigidMotion::pose(double time) const {
  Points x, v;
  targets(time, Points::Zero(3, 1), x, v);
  RigidPose pose;
  pose.rotation = rotation(angular_velocity * (std::min(std::max(time, start), end) - start));
  pose.translation = x.col(0);
  pose.velocity = v.col(0);
  if (time >= start && time < end) pose.angular_velocity = angular_velocity;
  return pose;
}

void RigidMotion::fingerprint(Hash& hash) const {
  for (const Vec3& v : {velocity, angular_velocity, pivot, amplitude})
    hash.add(v.data(), 3 * sizeof(double));
  for (double value : {frequency, start, end}) hash.add_value(value);
}

void SampledMotion::targets(double time, const Points& /*initial*/, Points& x, Points& v) const {
  const std::size_t count = times.size();
  // The solver's clock adds up steps and may miss a sample by rounding.
  const double rounding = 1e-9 * (times.back() - times.front()) / static_cast<double>(count);
  const auto slope = [&](std::size_t i) -> Points {  // from sample i-1 to i
    return (positions[i] - positions[i - 1]) / (times[i] - times[i - 1]);
  };
  const auto i = static_cast<std::size_t>(
      std::lower_bound(times.begin(), times.end(), time - rounding) - times.begin());
  if (i == count || (i == 0 && times[0] - time > rounding)) {
    x = i == 0 ? positions.front() : positions.back();
    v.setZero(3, x.cols());
  } else if (times[i] - time > rounding) {
    v = slope(i);
    x = positions[i - 1] + (time - times[i - 1]) * v;
  } else {
    x = positions[i];
    if (count > 1)
      v = slope(i > 0 ? i : 1);
    else
      v.setZero(3, x.cols());
  }
}

void SampledMotion::fingerprint(Hash& hash) const {
  hash.add(times.data(), times.size() * sizeof(double));
  for (const Points& p : positions)
    hash.add(p.data(), static_cast<std::size_t>(p.size()) * sizeof(double));
}

RigidPose pose_at(const std::vector<RigidMotion>& motion, double time) {
  RigidPose pose;
  for (const RigidMotion& next : motion) pose = compose(next.pose(time), pose);
  return pose;
}

}  // namespace dashpot
