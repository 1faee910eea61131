#pragma once

#include <array>
#include <utility>
#include <vector>

#include "solver/collision/broad_phase.h"
#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"
#include "solver/collision/pair_features.h"

namespace dashpot {

class Tangles;

// Finds where surfaces come near each other or themselves while points move straight from the
// begin to some x. A stencil is that of the closest features, at the moment that a pair is half the
// gap apart: later, its closest features may be behind each other.
class SurfaceDetector {
 public:
  // gap: m, the distance d0 that contact keeps. rest: where bodies have their shape.
  SurfaceDetector(const ContactSurface& surface, PairRules rules, double gap, const Points& rest);
  SurfaceDetector(const SurfaceDetector&) = delete;
  SurfaceDetector& operator=(const SurfaceDetector&) = delete;

  // Looks for all pairs that may get near on the way to anywhere about guess. left_out: bodies that
  // are taken not to touch themselves, until covers() says that they may.
  void begin(const Points& before, const Points& guess, const std::vector<char>& left_out = {});
  // Pairs that pressed on each other when the motion began, ascending: they are found wherever they
  // are near, until begin() is called again.
  void keep(std::vector<FeaturePairId> pairs) { kept_ = std::move(pairs); }
  // What is tangled is none of the candidates.
  void leave_out(const Tangles& tangles);
  // What begin() found is all that there is on the way to x.
  bool covers(const Points& x) { return broad_phase_.covers(before_, x); }

  // Numbers of candidates, ascending.
  using Subset = std::vector<int>;

  bool any() const { return !candidates_.empty(); }
  // A point of either side of each pair.
  std::vector<std::array<int, 2>> candidates() const;

  // Pairs that come nearer than d0/2 on the way to x, as they were then; pairs nearer than 1.5 d0
  // at x, as they are there. One stencil for an id, its earliest; in ascending order. of: nullptr
  // for all candidates, here and below. thorough: edges that really come so near have a stencil
  // even where their faces' vertices should answer for them, which they do not where faces bend.
  std::vector<PairStencil> find(const Points& x, const Subset* of = nullptr,
                                bool thorough = false) const;
  // Pairs that come nearer than d0/5, or half of their distance at the begin: what contact should
  // have kept apart, whichever way the normal points.
  std::vector<PairStencil> find_missed(const Points& x, const Subset* of = nullptr) const;
  // The share of the way to x on which no pair comes nearer than d0/100, or half of its distance at
  // the begin.
  double free_share(const Points& x, const Subset* of = nullptr) const;

 private:
  bool is_flat_pair(const CandidatePair& pair) const;
  PairPath path(const CandidatePair& pair, const Points& x) const;
  double time_to_find(const CandidatePair& pair, const Points& x) const;
  double time_to_miss(const CandidatePair& pair, const Points& x, double limit) const;
  bool passes_touching(const CandidatePair& pair, const Points& x, double limit) const;
  void add_stencils(const CandidatePair& pair, const Points& x, double time, FeatureFilter filter,
                    std::vector<PairStencil>& out) const;
  struct Moment {
    double time;
    FeatureFilter filter;
  };
  template <class When>
  std::vector<PairStencil> stencils(const Points& x, const Subset* of, const When& when) const;
  template <class Value>
  double least(const Subset* of, double none, const Value& value) const;
  std::ptrdiff_t count(const Subset* of) const {
    return static_cast<std::ptrdiff_t>(of ? of->size() : candidates_.size());
  }

  const ContactSurface& surface_;
  PairRules rules_;
  double gap_;
  BroadPhase broad_phase_;
  Points before_;
  std::vector<CandidatePair> candidates_;
  std::vector<FeaturePairId> kept_;
};

}  // namespace dashpot
