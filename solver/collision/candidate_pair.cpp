#include "solver/collision/candidate_pair.h"

namespace dashpot {

FourPoints four_points(const ContactSurface& surface, const CandidatePair& pair, const Points& x) {
  if (pair.kind == Primitives::kVertexTriangle) {
    const Triangle& t = surface.triangles()[pair.second];
    return {x.col(pair.first), x.col(t[0]), x.col(t[1]), x.col(t[2])};
  }
  const Edge &d = surface.edges()[pair.first], &e = surface.edges()[pair.second];
  return {x.col(d[0]), x.col(d[1]), x.col(e[0]), x.col(e[1])};
}

}  // namespace dashpot
