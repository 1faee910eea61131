#include "solver/collision/surface_trees.h"

#include <cstddef>

namespace dashpot {

SurfaceTrees::SurfaceTrees(const ContactSurface& surface)
    : surface_(surface),
      trees_(static_cast<std::size_t>(surface.body_count())),
      looseness_(trees_.size(), 0),
      duties_(surface.triangles().size(), 0) {
  for (int t = 0; t < static_cast<int>(duties_.size()); ++t)
    for (int k = 0; k < 3; ++k) {
      if (surface.triangles_of_point(surface.triangles()[t][k])[0] == t)
        duties_[t] = static_cast<char>(duties_[t] | 1 << k);
      if (surface.triangles_of_edge(surface.edges_of_triangle(t)[k])[0] == t)
        duties_[t] = static_cast<char>(duties_[t] | 8 << k);
    }
}

void SurfaceTrees::prepare(int body, const Points& x, std::vector<BoundingBox>& scratch) {
  constexpr double kMuchLooser = 1.5;
  set_point_boxes(surface_, body, x, scratch);
  if (!trees_[body].empty() && fitted(body, scratch).looseness() <= kMuchLooser * looseness_[body])
    return;
  trees_[body] = BoxTree(surface_, body, x);
  looseness_[body] = fitted(body, scratch).looseness();
}

void set_point_boxes(const ContactSurface& surface, int body, const Points& x,
                     std::vector<BoundingBox>& boxes) {
  for (const int p : surface.points_of_body(body)) boxes[p].low = boxes[p].high = x.col(p);
}

FittedSurface::FittedSurface(const ContactSurface& surface, SurfaceTrees& trees, const Points& x)
    : surface_(surface),
      trees_(trees),
      x_(x),
      point_boxes_(static_cast<std::size_t>(surface.point_count())),
      body_boxes_(static_cast<std::size_t>(surface.body_count())),
      fitted_(body_boxes_.size()) {
  for (const int p : surface.vertices())
    body_boxes_[surface.body_of_point(p)].include(Vec3(x.col(p)));
}

const FittedTree& FittedSurface::operator[](int body) {
  FittedTree& fitted = fitted_[body];
  if (fitted.tree != nullptr) return fitted;
  trees_.prepare(body, x_, point_boxes_);
  fitted = trees_.fitted(body, point_boxes_);
  return fitted;
}

}  // namespace dashpot
