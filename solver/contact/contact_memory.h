#pragma once

#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

struct ContactModel;  // contact_model.h

// What touches at the end of a step, for the next one.
struct ContactMemory {
  struct Touching {
    int point = 0;                                              // of the simulation
    int collider = 0;                                           // number in `colliders`
    Vec3 force = Vec3::Zero(), next_step_force = Vec3::Zero();  // on the point, N
    Vec3 normal = Vec3::Zero();
  };

  Vec3 impulse = Vec3::Zero();  // of all colliders in the last step, N s
  double normal_impulse = 0;
  std::vector<std::string> colliders;  // by name
  std::vector<Touching> touching;

  bool operator==(const ContactMemory& other) const;
};

// Colliders come and go, and so do points that may touch: what is left of the memory in a scene,
// with the numbers that colliders have there. What is gone is found again, as by a body that has
// just landed, rather than looked up where something else is. Of colliders with one name, the first
// is the first. A memory with numbers that are not finite is worth nothing.
ContactMemory fitting(const ContactMemory& memory, const ContactModel& model);

}  // namespace dashpot
