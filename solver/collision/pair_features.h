#pragma once

#include <vector>

#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"

namespace dashpot {

// Points at a share of the way from `before` to `after`.
struct MovingPoints {
  const Points& before;
  const Points& after;
  double time;

  Vec3 operator()(int p) const { return before.col(p) + time * (after.col(p) - before.col(p)); }
};

// Stencils are taken whose normal leaves their features' neighbours: all but exactly, roughly where
// edges cross, whatever it does, or none but those that are kept. None is taken that is seen from
// inside of a surface.
enum class FeatureFilter { kAll, kRoughlyOfEdges, kNone, kOnlyKept };

// Which stencils of a pair of primitives to take.
struct FeatureChoice {
  FeatureFilter filter;
  double coincident;                       // m: nearer features have no direction of their own
  const std::vector<FeaturePairId>& kept;  // ascending: taken whatever the filter says
};

// The closest features of a vertex and a triangle, or of two edges, as stencils, appended to `out`.
// Edges that are parallel or closest at an end give the stencils of those ends. Features that
// coincide take their normal from the surface before the motion, and are not filtered.
void add_vertex_triangle(const ContactSurface& surface, const MovingPoints& x, int vertex,
                         int triangle, const FeatureChoice& choice, std::vector<PairStencil>& out);
void add_edge_edge(const ContactSurface& surface, const MovingPoints& x, int first, int second,
                   const FeatureChoice& choice, std::vector<PairStencil>& out);

}  // namespace dashpot
