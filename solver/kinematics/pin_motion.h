#pragma once

#include <limits>
#include <vector>

#include "solver/base/hash.h"
#include "solver/base/types.h"
#include "solver/kinematics/rigid_pose.h"

namespace dashpot {

// Where pinned points are at a time. `initial` holds the position of each pinned point at time 0;
// x and v receive target positions (m) and velocities (m/s), one column per pinned point.
class PinMotion {
 public:
  virtual ~PinMotion() = default;
  virtual void targets(double time, const Points& initial, Points& x, Points& v) const = 0;
  // Adds all that the targets depend on.
  virtual void fingerprint(Hash& hash) const = 0;
};

// While start <= t <= end, with s = t - start: turns about `pivot` by angular_velocity * s, then
// moves by velocity * s + amplitude * sin(2 pi frequency s). Before start and after end it holds
// still.
struct RigidMotion final : PinMotion {
  Vec3 velocity = Vec3::Zero();          // m/s
  Vec3 angular_velocity = Vec3::Zero();  // rad/s
  Vec3 pivot = Vec3::Zero();             // m
  Vec3 amplitude = Vec3::Zero();         // m
  double frequency = 0.0;                // Hz
  double start = 0.0;                    // s
  double end = std::numeric_limits<double>::infinity();

  void targets(double time, const Points& initial, Points& x, Points& v) const override;
  void fingerprint(Hash& hash) const override;

  // Of what was in its place at time 0.
  RigidPose pose(double time) const;
};

// Of what was in its place at time 0, after all of `motion`, one after the other.
RigidPose pose_at(const std::vector<RigidMotion>& motion, double time);

// Positions at given times (strictly increasing), linear in between and held outside: animated
// input whose frames a host sampled. At a sample the velocity is that of arriving there (at the
// first, of leaving it), so that a host may add samples while it simulates.
struct SampledMotion final : PinMotion {
  std::vector<double> times;
  std::vector<Points> positions;

  void targets(double time, const Points& initial, Points& x, Points& v) const override;
  void fingerprint(Hash& hash) const override;
};

}  // namespace dashpot
