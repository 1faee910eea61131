#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "solver/base/parallel.h"
#include "solver/collision/box_tree.h"
#include "solver/collision/candidate_pair.h"
#include "solver/collision/feature_pair.h"
#include "solver/collision/surface_trees.h"

namespace dashpot {

// Boxes of points, and of the edges and triangles between them.
struct FeatureBoxes {
  std::vector<BoundingBox> point, edge, triangle;

  explicit FeatureBoxes(const ContactSurface& surface)
      : point(static_cast<std::size_t>(surface.point_count())),
        edge(surface.edges().size()),
        triangle(surface.triangles().size()) {}

  // Those of a body follow from its points.
  void fit(const ContactSurface& surface, int body) {
    for (const int e : surface.edges_of_body(body)) edge[e] = box_of(surface.edges()[e], point);
    for (const int t : surface.triangles_of_body(body))
      triangle[t] = box_of(surface.triangles()[t], point);
  }
};

class PairCollector {
 public:
  PairCollector(const ContactSurface& surface, const SurfaceTrees& trees, const PairRules& rules,
                const FeatureBoxes& boxes, const Points& x)
      : surface_(surface), trees_(trees), rules_(rules), boxes_(boxes), x_(x) {}

  // keep(pair): what is near enough of what the boxes let through.
  template <class Keep>
  void collect(int s, int t, const Keep& keep) {
    const Triangle &a = surface_.triangles()[s], &b = surface_.triangles()[t];
    for (int k = 0; k < 3; ++k) {
      if (trees_.answers_for_corner(s, k)) vertex_triangle(a[k], t, keep);
      if (trees_.answers_for_corner(t, k)) vertex_triangle(b[k], s, keep);
    }
    for (int k = 0; k < 3; ++k)
      if (trees_.answers_for_edge(s, k)) edge_triangle(surface_.edges_of_triangle(s)[k], t, keep);
  }

  std::vector<CandidatePair> found;

 private:
  template <class Keep>
  void vertex_triangle(int vertex, int triangle, const Keep& keep) {
    const Triangle& t = surface_.triangles()[triangle];
    if (!boxes_.point[vertex].overlaps(boxes_.triangle[triangle]) || has_point(t, vertex)) return;
    add({Primitives::kVertexTriangle, vertex, triangle, 0},
        rules_.is_fixed(std::array<int, 1>{vertex}) && rules_.is_fixed(t), keep);
  }

  template <class Keep>
  void edge_triangle(int edge, int triangle, const Keep& keep) {
    const Edge& d = surface_.edges()[edge];
    const BoundingBox& box = boxes_.edge[edge];
    if (!box.overlaps(boxes_.triangle[triangle])) return;
    for (int k = 0; k < 3; ++k) {
      if (!trees_.answers_for_edge(triangle, k)) continue;
      const int other = surface_.edges_of_triangle(triangle)[k];
      const Edge& e = surface_.edges()[other];
      if (!box.overlaps(boxes_.edge[other]) || has_point(e, d[0]) || has_point(e, d[1])) continue;
      add({Primitives::kEdgeEdge, std::min(edge, other), std::max(edge, other), 0},
          rules_.is_fixed(d) && rules_.is_fixed(e), keep);
    }
  }

  template <class Keep>
  void add(CandidatePair pair, bool fixed, const Keep& keep) {
    if (fixed) return;
    pair.distance = separation(pair.kind, four_points(surface_, pair, x_)).norm();
    if (keep(pair)) found.push_back(pair);
  }

  const ContactSurface& surface_;
  const SurfaceTrees& trees_;
  const PairRules& rules_;
  const FeatureBoxes& boxes_;
  const Points& x_;
};

// The pairs below all overlapping nodes, in the order of these whatever the threads.
template <class Keep>
void collect_overlaps(const FittedTree& a, const FittedTree& b, const PairCollector& empty,
                      const Keep& keep, std::vector<CandidatePair>& found) {
  const std::vector<NodePair> work = overlapping_nodes(a, b);
  std::vector<std::vector<CandidatePair>> parts(work.size());
  parallel_each(static_cast<std::ptrdiff_t>(work.size()), 4, [&](std::ptrdiff_t i) {
    PairCollector collector = empty;
    visit_overlaps(a, b, work[i], [&](int s, int t) { collector.collect(s, t, keep); });
    parts[i] = std::move(collector.found);
  });
  for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
}

}  // namespace dashpot
