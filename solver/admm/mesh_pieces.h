#pragma once

#include <vector>

#include "solver/admm/global_system.h"
#include "solver/admm/tet_terms.h"

namespace dashpot {

// A connected piece of the mesh: its vertices, by position in the solver's order times four,
// ascending.
struct MeshPiece {
  std::vector<int> free, pinned;
};

std::vector<MeshPiece> connected_pieces(const TetTerms& terms, const VertexOrder& order);

}  // namespace dashpot
