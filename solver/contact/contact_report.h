#pragma once

#include "solver/base/types.h"

namespace dashpot {

// What colliders did in a frame.
struct ContactReport {
  int contacts = 0;           // pairs of a point and a collider that press on each other at the end
  double penetration = 0;     // of the deepest point at the end of the frame, m
  double normal_impulse = 0;  // sum of all impulses against surfaces, N s
  Vec3 impulse = Vec3::Zero();  // of all colliders on all bodies, N s
  // Largest friction force in parts of friction times normal force: 1 slides, less sticks.
  double friction_use = 0;
};

}  // namespace dashpot
