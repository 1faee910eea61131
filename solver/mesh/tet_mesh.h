#pragma once

#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// A validated tet mesh: every index in range, every rest position finite, every tet of positive
// rest volume. Houdini's tets come in with negative determinants; they are flipped here and
// `flipped` remembers it, so that a host can write topology back in the order that came in.
// Points that no tet uses are carried along; their mass is zero.
struct TetMesh {
  Points rest;
  std::vector<Tet> tets;
  bool flipped = false;

  int point_count() const { return static_cast<int>(rest.cols()); }
  int tet_count() const { return static_cast<int>(tets.size()); }
};

// Throws InputError, naming the body `name` and the first offending elements, for: no tets,
// positions that are not finite, indices out of range or repeated within a tet, tets of zero
// volume (see quality.h for the threshold), a mesh that mixes both orientations.
TetMesh make_tet_mesh(Points rest, std::vector<Tet> tets, const std::string& name);

// At rest, m; an edge counts once for each tet that has it.
double mean_edge_length(const TetMesh& mesh);

// The corner order that came in: undoes the flip.
Tet input_order(const TetMesh& mesh, int tet);

// Signed volume of one tet (m^3), positive for the solver's orientation.
double signed_volume(const Points& points, const Tet& tet);

}  // namespace dashpot
