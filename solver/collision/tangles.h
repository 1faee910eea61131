#pragma once

#include <array>
#include <vector>

#include "solver/collision/broad_phase.h"
#include "solver/collision/contact_surface.h"
#include "solver/collision/feature_pair.h"
#include "solver/collision/intersections.h"
#include "solver/collision/surface_trees.h"

namespace dashpot {

// Where bodies intersect each other or themselves at the begin of a step: meshes come like that.
// What intersects ignores each other until it is apart. Surfaces that meet no deeper than rounding
// are in contact, not tangled.
class Tangles {
 public:
  // gap: m, that of the detector.
  Tangles(const ContactSurface& surface, PairRules rules, double gap);

  // collapsed: points where bodies have no surface to touch themselves with.
  void find(const Points& x, const std::vector<int>& collapsed = {});

  bool any() const {
    return has_collapsed_ || !crossings_.empty() || !inside_.empty() || !lost_edges_.empty();
  }
  // Edges that go through triangles.
  int count() const { return static_cast<int>(crossings_.size()); }
  // Vertices inside of another body, which may enclose them without touching.
  int inside_count() const { return static_cast<int>(inside_.size()); }
  // Of the crossings, then of the vertices inside.
  std::vector<Vec3> places() const { return places_; }

  // Bodies that intersect: what of one is inside the other or goes through it. A body that
  // intersects itself: what is within a ring of that.
  bool ignores(const CandidatePair& pair) const;

  // Each vertex inside another body against the nearest face there: normal outwards, distance
  // negative.
  std::vector<PairStencil> pushes(const Points& x) const;

 private:
  using FeatureInBody = std::array<int, 2>;  // number of the feature, other body

  bool is_shallow(const EdgeTriangle& pair, const Points& x) const;
  void keep_deep(const std::vector<EdgeTriangleCrossing>& all, const Points& x);
  void lose_inside(FittedSurface& fitted, const std::vector<EdgeTriangleCrossing>& all, int body,
                   int other);
  void lose_edge(int edge, int other);
  void lose_point(int point, int other);
  void mark_ring(const EdgeTriangle& pair);
  void sort_lost();

  const ContactSurface& surface_;
  PairRules rules_;
  double skin_;
  SurfaceTrees trees_;
  std::vector<EdgeTriangle> crossings_;
  std::vector<FeatureInBody> inside_, lost_edges_, lost_triangles_;
  std::vector<char> ring_;  // by point: near where its body intersects itself, or is collapsed
  bool has_collapsed_ = false;
  std::vector<Vec3> places_;
};

}  // namespace dashpot
