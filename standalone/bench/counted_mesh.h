#pragma once

#include "solver/mesh/tet_mesh.h"

namespace dashpot {

// A bar with exactly so many points and tets, standing in for a published mesh that we do not have:
// the cost of a step depends on little else. Cells of six tets are lined up until the points are
// used up. Tets that are too many are taken out here and there; if a bar has too few for its
// points, some are there twice. Throws InputError if there are fewer than 8 points or fewer tets
// than every point needs.
TetMesh counted_mesh(int points, int tets);

}  // namespace dashpot
