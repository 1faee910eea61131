#pragma once

#include <UT/UT_Ramp.h>

namespace dashpot {

// Houdini's own curve, for bases that have no form here.
inline double ramp_value(const UT_Ramp& ramp, double position) {
  float values[4];  // a ramp of numbers has the first
  ramp.rampLookup(position, values);
  return values[0];
}

}  // namespace dashpot
