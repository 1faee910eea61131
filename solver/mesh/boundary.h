#pragma once

#include <array>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// The faces that belong to exactly one tet, wound so that their normals point outwards when the
// tets have positive volume. The order is that of the tets, so it is stable over a run. Indices
// must not be negative. A face that three or more tets share is not boundary.
std::vector<Triangle> boundary_surface(const std::vector<Tet>& tets);

// For each tet the one behind the face opposite to each of its corners; -1 where there is none, or
// more than one.
std::vector<std::array<int, 4>> face_neighbours(const std::vector<Tet>& tets);

}  // namespace dashpot
