#pragma once

#include <cstdint>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// Moves a run behind other primitives and vertices. False if it names its vertices in a way that is
// not known; their numbers are then what they were.
bool move_primitives(PrimitiveRun& run, std::int64_t first_primitive, std::int64_t first_vertex);

}  // namespace dashpot
