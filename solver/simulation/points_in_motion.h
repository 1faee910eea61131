#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/simulation/state.h"

namespace dashpot {

// Some points of a scene, and the rigid motion that has their momenta.
class PointsInMotion {
 public:
  PointsInMotion(const std::vector<double>& mass, const State& state, std::vector<int> points);

  double kinetic() const { return kinetic_; }      // J
  double vibration() const { return vibration_; }  // of what is not rigid motion, J
  const Vec3& momentum() const { return momentum_; }

  // Leaves a share of the velocities, or only of what is not rigid motion. Pinned points keep
  // theirs.
  void slow_down(double share, bool keeps_rigid, const std::vector<char>& pinned, Points& v) const;

 private:
  Vec3 rigid_velocity(const Vec3& x) const { return velocity_ + spin_.cross(x - center_); }

  const Points& x_;
  std::vector<int> points_;
  Vec3 momentum_ = Vec3::Zero(), velocity_ = Vec3::Zero(), center_ = Vec3::Zero();
  Vec3 spin_ = Vec3::Zero();
  double kinetic_ = 0, vibration_ = 0;
};

}  // namespace dashpot
