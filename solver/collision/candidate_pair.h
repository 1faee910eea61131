#pragma once

#include <tuple>

#include "solver/collision/additive_ccd.h"
#include "solver/collision/contact_surface.h"

namespace dashpot {

// A vertex (a point's number) and a triangle, or two edges, first < second.
struct CandidatePair {
  Primitives kind;
  int first, second;
  double distance;  // at the begin

  bool operator<(const CandidatePair& b) const {
    return std::tie(kind, first, second) < std::tie(b.kind, b.first, b.second);
  }
};

FourPoints four_points(const ContactSurface& surface, const CandidatePair& pair, const Points& x);

}  // namespace dashpot
