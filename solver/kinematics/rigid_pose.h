#pragma once

#include <Eigen/Dense>

#include "solver/base/types.h"

namespace dashpot {

// Where a rigid thing is and how it moves: a point X of its own space is at rotation X +
// translation.
struct RigidPose {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();  // of the origin of its own space, m/s
  Vec3 angular_velocity = Vec3::Zero();

  Vec3 to_world(const Vec3& own) const { return rotation * own + translation; }
  Vec3 to_own(const Vec3& world) const { return rotation.transpose() * (world - translation); }
  Vec3 velocity_at(const Vec3& world) const {
    return velocity + angular_velocity.cross(world - translation);
  }
};

// First `inner`, then `outer`.
inline RigidPose compose(const RigidPose& outer, const RigidPose& inner) {
  RigidPose pose;
  pose.rotation = outer.rotation * inner.rotation;
  pose.translation = outer.to_world(inner.translation);
  pose.velocity = outer.rotation * inner.velocity + outer.velocity_at(pose.translation);
  pose.angular_velocity = outer.angular_velocity + outer.rotation * inner.angular_velocity;
  return pose;
}

// A linear combination of poses is no pose, but still a map of points.
struct AffineMap {
  Mat3 linear = Mat3::Zero();
  Vec3 shift = Vec3::Zero();

  void add(double factor, const RigidPose& pose) {
    linear += factor * pose.rotation;
    shift += factor * pose.translation;
  }
  // The rate at which a pose changes.
  void add_rate(double factor, const RigidPose& pose) {
    for (int c = 0; c < 3; ++c)
      linear.col(c) += factor * pose.angular_velocity.cross(pose.rotation.col(c));
    shift += factor * pose.velocity;
  }
  Vec3 operator()(const Vec3& own) const { return linear * own + shift; }
};

}  // namespace dashpot
