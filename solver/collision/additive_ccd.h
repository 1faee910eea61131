#pragma once

#include <array>

#include "solver/base/types.h"

namespace dashpot {

enum class Primitives : char { kVertexTriangle, kEdgeEdge };

// Vertex and triangle: the vertex, then the corners. Edges: the ends of the first, of the second.
using FourPoints = std::array<Vec3, 4>;

// From the closest place on the second primitive to that on the first.
Vec3 separation(Primitives kind, const FourPoints& p);

struct PairPath {
  Primitives kind;
  FourPoints begin, end;

  FourPoints at(double time) const;
  // The distance cannot change by more than this on the way.
  double relative_motion() const;
};

constexpr double kNever = 2;

// Conservative advancement (additive CCD, Li et al. 2021): a time, never late, before which the
// primitives stay farther apart than `limit` while their points move evenly from begin to end. At
// that time they are at most 5 % farther apart than limit, unless the search ran out of steps.
// kNever if they never come that near.
double time_of_contact(const PairPath& path, double limit);

}  // namespace dashpot
