#include "solver/collision/box_tree.h"

#include <algorithm>

namespace dashpot {
namespace {

constexpr int kTrianglesPerLeaf = 4;

}  // namespace

BoxTree::BoxTree(const ContactSurface& surface, int body, const Points& x) {
  const IndexRange triangles = surface.triangles_of_body(body);
  order_.assign(triangles.begin(), triangles.end());
  if (order_.empty()) return;
  std::vector<Vec3> centres(surface.triangles().size());
  for (const int t : order_) {
    const Triangle& corner = surface.triangles()[t];
    centres[t] = (x.col(corner[0]) + x.col(corner[1]) + x.col(corner[2])) / 3;
  }
  split(centres, 0, static_cast<int>(order_.size()));
}

// Halves along the longest side of the centres' box: log2(n) levels whatever the shape.
void BoxTree::split(const std::vector<Vec3>& centres, int begin, int end) {
  const std::size_t at = nodes_.size();
  nodes_.push_back({0, begin, end});
  if (end - begin <= kTrianglesPerLeaf) return;
  BoundingBox box;
  for (int i = begin; i < end; ++i) box.include(centres[order_[i]]);
  int axis = 0;
  (box.high - box.low).maxCoeff(&axis);
  const int middle = (begin + end) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](int s, int t) {
                     const double a = centres[s][axis], b = centres[t][axis];
                     return a != b ? a < b : s < t;
                   });
  split(centres, begin, middle);
  nodes_[at].right = static_cast<int>(nodes_.size());
  split(centres, middle, end);
}

FittedTree::FittedTree(const BoxTree& shape, const ContactSurface& surface,
                       const std::vector<BoundingBox>& point_boxes)
    : tree(&shape),
      node(shape.nodes().size()),
      triangle(static_cast<std::size_t>(shape.triangle_count())) {
  for (int i = 0; i < shape.triangle_count(); ++i)
    triangle[i] = box_of(surface.triangles()[shape.triangle(i)], point_boxes);
  for (int n = static_cast<int>(node.size()) - 1; n >= 0; --n) {
    const BoxTree::Node& at = shape.nodes()[n];
    if (at.is_leaf()) {
      for (int i = at.begin; i < at.end; ++i) node[n].include(triangle[i]);
    } else {
      node[n] = node[n + 1];
      node[n].include(node[at.right]);
    }
  }
}

double FittedTree::looseness() const {
  double nodes = 0, triangles = 0;
  for (const BoundingBox& box : node) nodes += box.extent();
  for (const BoundingBox& box : triangle) triangles += box.extent();
  return triangles > 0 ? nodes / triangles : 0;
}

std::vector<std::array<int, 2>> overlapping_boxes(const std::vector<BoundingBox>& boxes) {
  std::vector<std::array<int, 2>> pairs;
  visit_overlapping_boxes(boxes, [&](int first, int second) { pairs.push_back({first, second}); });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<NodePair> overlapping_nodes(const FittedTree& a, const FittedTree& b) {
  constexpr std::size_t kEnough = 256;
  std::vector<NodePair> pairs;
  if (a.root().overlaps(b.root())) pairs.push_back({0, 0});
  bool opens = true;
  while (opens && pairs.size() < kEnough) {
    opens = false;
    std::vector<NodePair> next;
    for (const NodePair& pair : pairs) {
      if (a.tree->nodes()[pair[0]].is_leaf() && b.tree->nodes()[pair[1]].is_leaf()) {
        next.push_back(pair);
        continue;
      }
      opens = true;
      open_nodes(a, b, pair, [&](const NodePair& child) { next.push_back(child); });
    }
    pairs.swap(next);
  }
  return pairs;
}

}  // namespace dashpot
