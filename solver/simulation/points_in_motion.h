#pragma once

#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// Some points of a scene, and the rigid motion that has their momenta.
class PointsInMotion {
 public:
  // x must outlive it.
  PointsInMotion(const std::vector<double>& mass, const Points& x, const Points& v,
                 std::vector<int> points);

  // The part of the motion that stays when energy is taken.
  enum class Kept { kRigid, kMean, kNothing };

  double mass() const { return mass_; }
  double kinetic_besides(Kept kept) const;  // J
  const Vec3& momentum() const { return momentum_; }
  const Vec3& angular() const { return angular_; }  // about the centre of mass

  // Adds the turning about the centre of mass that has this angular momentum.
  void add_spin(const Vec3& angular, Points& v) const;

  // Leaves a share of the velocities besides what is kept. Pinned points keep theirs.
  void slow_down(double share, Kept kept, const std::vector<char>& pinned, Points& v) const;

 private:
  Vec3 kept_velocity(Kept kept, const Vec3& x) const;
  Vec3 spin_of(const Vec3& angular) const;

  const Points& x_;
  std::vector<int> points_;
  Vec3 momentum_ = Vec3::Zero(), velocity_ = Vec3::Zero(), center_ = Vec3::Zero();
  Vec3 angular_ = Vec3::Zero(), spin_ = Vec3::Zero();
  Mat3 inertia_ = Mat3::Zero();
  double mass_ = 0, kinetic_ = 0, vibration_ = 0;
};

}  // namespace dashpot
