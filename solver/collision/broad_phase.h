#pragma once

#include <array>
#include <memory>
#include <vector>

#include "solver/collision/candidate_pair.h"
#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"
#include "solver/collision/pair_collector.h"
#include "solver/collision/self_clearance.h"
#include "solver/collision/surface_trees.h"

namespace dashpot {

// The primitives that may come near each other between two positions. Different bodies are searched
// with boxes around the way of each point, less what all do together. A body against itself is
// searched only where it is not known to stay clear, with boxes where it was, as large as the way
// that points depart from the body's affine motion: a body that flies or spins fast does not get
// near itself by that. Pairs that share a vertex are left out.
class BroadPhase {
 public:
  // reach: m, how near is near. rest: where bodies have their shape.
  BroadPhase(const ContactSurface& surface, const PairRules& rules, double reach,
             const Points& rest);
  ~BroadPhase();

  // In ascending order. left_out: of bodies, those that are not to be searched for what touches
  // themselves; covers() then says whether there is any.
  std::vector<CandidatePair> search(const Points& before, const Points& guess,
                                    const std::vector<char>& left_out = {});
  // No pair that the last search left out can come nearer than the reach on the straight way to x.
  bool covers(const Points& before, const Points& x);

 private:
  // A body in the last search.
  struct BodySearch {
    double margin = 0;               // m, for the answer to differ from the guess
    BoundingBox around;              // all ways, at least
    bool has_ways = false;           // the boxes of its points are known, as others come near it
    std::vector<CandidatePair> own;  // candidates with itself, ascending
  };
  // From before to end, and how much farther.
  struct Way {
    const Points& before;
    const Points& end;
    double room;    // in parts of the motion
    double margin;  // m
  };

  Vec3 common_motion(const Points& before, const Points& end) const;
  void bound_body(int body, const Points& before, const Points& guess, const Vec3& shift);
  void bound_ways(int body, const Points& before, const Points& guess, const Vec3& shift);
  std::vector<std::array<int, 2>> near_bodies(const Points& before, const Points& guess);
  void search_between(const FittedTree& a, const FittedTree& b, const Points& before,
                      std::vector<CandidatePair>& found) const;
  std::vector<CandidatePair> search_self(int body, const Way& way);
  void bound_departures(int body, const Way& way);
  void search_clusters(int body, const SelfDoubts& doubts, const Way& way,
                       std::vector<CandidatePair>& found);
  bool is_fixed(const CandidatePair& pair) const;
  bool comes_near(const CandidatePair& pair, const Way& way) const;
  bool covers_ways(int body, const Points& x, const Vec3& shift) const;
  bool is_searched(int body) const {
    return rules_.touches_itself(body) && surface_.triangles_of_body(body).size() > 0;
  }
  SelfClearance& clearance(int body);

  const ContactSurface& surface_;
  const PairRules& rules_;
  double reach_;
  Points rest_;
  SurfaceTrees trees_;
  std::vector<std::unique_ptr<SelfClearance>> clearance_;  // of bodies that were asked for
  std::vector<BodySearch> body_;
  FeatureBoxes way_, own_;
};

}  // namespace dashpot
