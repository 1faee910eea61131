#pragma once

#include <array>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// A contact that presses at the end of a frame.
struct ContactMark {
  Vec3 place = Vec3::Zero();  // m
  Vec3 force = Vec3::Zero();  // on `body`, N; the opposite acts on the other side
  bool slips = false;         // else it sticks
  int body = 0;
  int other = -1;     // the body on the other side; -1: a collider
  int collider = -1;  // its number, if `other` is none
  // Which points of the state share the force, and how: weight * force acts on each. Those of the
  // other side have weights below zero. -1: no point.
  std::array<int, 4> points = {-1, -1, -1, -1};
  std::array<double, 4> weights{};
};

// What contact did in a frame.
struct ContactReport {
  int contacts = 0;           // pairs of a point and a collider that press on each other at the end
  double penetration = 0;     // of the deepest point at the end of the frame, m
  double normal_impulse = 0;  // sum of all impulses against surfaces, N s
  Vec3 impulse = Vec3::Zero();  // of all colliders on all bodies, N s
  // Largest friction force in parts of friction times normal force: 1 slides, less sticks.
  double friction_use = 0;

  int pairs = 0;    // contacts between bodies, and of a body with itself, that press at the end
  int ignored = 0;  // pairs of edge and triangle that intersect and are not kept apart
  Vec3 ignored_place = Vec3::Zero();  // of the first of them, m
  std::vector<ContactMark> marks;     // of all contacts, in a fixed order
};

}  // namespace dashpot
