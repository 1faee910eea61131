#pragma once

#include "solver/contact/friction_prox.h"

namespace dashpot {

// A row of a contact problem.
struct SweepRow {
  int site = 0;
  ContactPlane plane;
  Vec3 force = Vec3::Zero();  // N
};

}  // namespace dashpot
