#pragma once

#include <optional>

#include "solver/mesh/tet_mesh.h"

namespace dashpot {

// What is so thin of a body that few tets lie between its two sides, and so long that it bends.
struct ThinPart {
  int tets = 0;          // across: edges that one would pass along
  double thickness = 0;  // m
  double length = 0;     // m
};

// Looks through the body from its surface, against the normal. Linear tets resist bending too much
// where there are fewer than three of them across. Nothing if that is nowhere so, or only of a
// small part of the surface, or of something that is as thick as it is long.
std::optional<ThinPart> find_thin_part(const TetMesh& mesh);

}  // namespace dashpot
