#pragma once

#include <vector>

#include "solver/collision/box_tree.h"
#include "solver/collision/contact_surface.h"

namespace dashpot {

// A tree for each body, and which triangle answers for which vertex and edge, so that a search over
// pairs of triangles meets every pair of vertex and triangle or of edges once (Curtis et al. 2008,
// representative triangles).
class SurfaceTrees {
 public:
  explicit SurfaceTrees(const ContactSurface& surface);

  // Builds the tree of a body that has none, or anew when motion has made it much looser than it
  // was. Searches find the same pairs in any tree. scratch: one box per point.
  void prepare(int body, const Points& x, std::vector<BoundingBox>& scratch);
  FittedTree fitted(int body, const std::vector<BoundingBox>& point_boxes) const {
    return FittedTree(trees_[body], surface_, point_boxes);
  }

  // Corner k, and edge k opposite to it.
  bool answers_for_corner(int triangle, int k) const { return (duties_[triangle] >> k & 1) != 0; }
  bool answers_for_edge(int triangle, int k) const { return (duties_[triangle] >> k & 8) != 0; }

 private:
  const ContactSurface& surface_;
  std::vector<BoxTree> trees_;
  std::vector<double> looseness_;  // when built
  std::vector<char> duties_;
};

// The smallest box of each point of a body: the point itself.
void set_point_boxes(const ContactSurface& surface, int body, const Points& x,
                     std::vector<BoundingBox>& boxes);

// The trees of the bodies around points that stand still, fitted when asked for.
class FittedSurface {
 public:
  FittedSurface(const ContactSurface& surface, SurfaceTrees& trees, const Points& x);

  const FittedTree& operator[](int body);
  const std::vector<BoundingBox>& body_boxes() const { return body_boxes_; }
  const ContactSurface& surface() const { return surface_; }
  const SurfaceTrees& trees() const { return trees_; }
  const Points& points() const { return x_; }

 private:
  const ContactSurface& surface_;
  SurfaceTrees& trees_;
  const Points& x_;
  std::vector<BoundingBox> point_boxes_, body_boxes_;
  std::vector<FittedTree> fitted_;
};

}  // namespace dashpot
