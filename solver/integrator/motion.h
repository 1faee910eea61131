#pragma once

#include "solver/base/types.h"

namespace dashpot {

// State of motion at an instant within a step.
struct Motion {
  Points x, v, a;
};

}  // namespace dashpot
