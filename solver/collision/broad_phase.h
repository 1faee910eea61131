#pragma once

#include <tuple>
#include <vector>

#include "solver/collision/additive_ccd.h"
#include "solver/collision/affine_motion.h"
#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"
#include "solver/collision/surface_trees.h"

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

// The primitives that may come near each other between two positions. Different bodies are searched
// with boxes around the way of each point. A body against itself is searched where it was, with
// boxes as large as the way that points depart from the body's affine motion: a body that flies or
// spins fast does not get near itself by that. Pairs that share a vertex are left out.
class BroadPhase {
 public:
  // reach: m, how near is near.
  BroadPhase(const ContactSurface& surface, const PairRules& rules, double reach);

  // In ascending order.
  std::vector<CandidatePair> search(const Points& before, const Points& guess);
  // No pair that search left out can come nearer than the reach on the straight way to x.
  bool covers(const Points& before, const Points& x) const;

 private:
  void bound_ways(const Points& before, const Points& guess);
  void bound_departures(int body, const Points& before, const Points& guess);
  void search_between(const FittedTree& a, const FittedTree& b, const Points& before,
                      std::vector<CandidatePair>& found) const;
  void search_self(int body, const Points& before, std::vector<CandidatePair>& found);
  bool covers_departures(int body, const Points& before, const Points& x) const;

  const ContactSurface& surface_;
  const PairRules& rules_;
  double reach_;
  SurfaceTrees trees_;
  std::vector<BoundingBox> way_, own_, body_way_;  // by point, by point, by body
  std::vector<double> departure_;                  // allowed, by point
  std::vector<double> stretch_;                    // least allowed, by body
};

FourPoints four_points(const ContactSurface& surface, const CandidatePair& pair, const Points& x);

}  // namespace dashpot
