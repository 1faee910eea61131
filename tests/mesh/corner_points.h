#pragma once

#include "solver/base/types.h"

namespace dashpot {

// The origin and the unit points of the axes.
inline Points corner_points() {
  Points points(3, 4);
  points << 0, 1, 0, 0,  //
      0, 0, 1, 0,        //
      0, 0, 0, 1;
  return points;
}

}  // namespace dashpot
