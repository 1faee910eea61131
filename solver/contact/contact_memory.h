#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact.h"

namespace dashpot {

struct ContactModel;  // contact_model.h

// What touches at the end of a step, for the next one.
struct ContactMemory {
  struct Touching {
    ContactId id;  // that of an obstacle: its number in `colliders`
    ContactStencil stencil;
    Vec3 force = Vec3::Zero();  // on the first side, mean of the stage that it pressed in, N
    bool is_anchored = false;
    Vec3 anchor = Vec3::Zero();  // where friction holds D x
    bool is_struck = false;      // what was hit stiffly in the step is on one of its sides
  };

  std::vector<std::string> colliders;  // by name
  std::uint64_t surface = 0;           // what the numbers of features are those of
  std::vector<Touching> touching;      // in order of their ids
  std::vector<int> let_go;             // bodies that touched something, but not at the end
  std::vector<int> met;                // bodies that touched something, then or ever before

  bool operator==(const ContactMemory& other) const;
};

// Colliders come and go, and so do points that may touch: what is left of the memory in a scene,
// with the numbers that colliders have there. What is gone is found again, as by a body that has
// just landed, rather than looked up where something else is. Of colliders with one name, the first
// is the first. A memory with numbers that are not finite is worth nothing.
ContactMemory fitting(const ContactMemory& memory, const ContactModel& model);

}  // namespace dashpot
