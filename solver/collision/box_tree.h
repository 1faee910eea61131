#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>

#include "solver/base/types.h"
#include "solver/collision/contact_surface.h"

namespace dashpot {

struct BoundingBox {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);

  void include(const BoundingBox& b) {
    low = low.cwiseMin(b.low);
    high = high.cwiseMax(b.high);
  }
  void include(const Vec3& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void grow(double by) {
    low.array() -= by;
    high.array() += by;
  }
  bool overlaps(const BoundingBox& b) const {
    return low[0] <= b.high[0] && b.low[0] <= high[0] && low[1] <= b.high[1] &&
           b.low[1] <= high[1] && low[2] <= b.high[2] && b.low[2] <= high[2];
  }
  bool contains(const Vec3& p) const {
    return (low.array() <= p.array()).all() && (p.array() <= high.array()).all();
  }
  double extent() const { return (high - low).sum(); }
};

template <class Feature>
BoundingBox box_of(const Feature& points, const std::vector<BoundingBox>& point_boxes) {
  BoundingBox box;
  for (const int p : points) box.include(point_boxes[static_cast<std::size_t>(p)]);
  return box;
}

// A hierarchy of the triangles of one body. Its shape stays while its boxes follow the points.
class BoxTree {
 public:
  struct Node {
    int right = 0;           // second child, the first follows its parent; 0 in a leaf
    int begin = 0, end = 0;  // places in the order of triangles

    bool is_leaf() const { return right == 0; }
  };

  BoxTree() = default;
  BoxTree(const ContactSurface& surface, int body, const Points& x);

  bool empty() const { return nodes_.empty(); }
  const std::vector<Node>& nodes() const { return nodes_; }
  int triangle(int place) const { return order_[place]; }
  int triangle_count() const { return static_cast<int>(order_.size()); }

 private:
  void split(const std::vector<Vec3>& centres, int begin, int end);

  std::vector<Node> nodes_;
  std::vector<int> order_;
};

// A tree with boxes: those of its nodes, and of its triangles in the tree's order.
struct FittedTree {
  const BoxTree* tree = nullptr;
  std::vector<BoundingBox> node, triangle;

  FittedTree() = default;
  FittedTree(const BoxTree& shape, const ContactSurface& surface,
             const std::vector<BoundingBox>& point_boxes);

  const BoundingBox& root() const { return node.front(); }
  // Sum of the boxes' extents in proportion to those of the triangles: what a search has to open.
  double looseness() const;
};

// visit(first, second) for boxes that overlap, first < second: sort and sweep along the longest
// side of them all.
template <class Visit>
void visit_overlapping_boxes(const std::vector<BoundingBox>& boxes, const Visit& visit) {
  BoundingBox lows;
  for (const BoundingBox& box : boxes) lows.include(box.low);
  int axis = 0;
  (lows.high - lows.low).maxCoeff(&axis);
  std::vector<int> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const double low = boxes[a].low[axis], other = boxes[b].low[axis];
    return low != other ? low < other : a < b;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const BoundingBox& a = boxes[order[i]];
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const BoundingBox& b = boxes[order[j]];
      if (b.low[axis] > a.high[axis]) break;
      if (a.overlaps(b)) visit(std::min(order[i], order[j]), std::max(order[i], order[j]));
    }
  }
}

// All of them, ascending.
std::vector<std::array<int, 2>> overlapping_boxes(const std::vector<BoundingBox>& boxes);

using NodePair = std::array<int, 2>;

// Pairs of nodes that overlap and that together cover all overlaps: work for several threads. The
// same tree twice: each pair of its nodes once.
std::vector<NodePair> overlapping_nodes(const FittedTree& a, const FittedTree& b);

// visit(triangle of a, triangle of b) for triangles below a pair of nodes whose boxes overlap. The
// same tree twice: each pair of different triangles once.
template <class Visit>
void visit_overlaps(const FittedTree& a, const FittedTree& b, const NodePair& from,
                    const Visit& visit);

// visit(triangle) for triangles whose boxes overlap `box`.
template <class Visit>
void visit_overlaps(const FittedTree& a, const BoundingBox& box, const Visit& visit) {
  std::vector<int> open{0};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (!a.node[at].overlaps(box)) continue;
    const BoxTree::Node& node = a.tree->nodes()[at];
    if (node.is_leaf()) {
      for (int i = node.begin; i < node.end; ++i)
        if (a.triangle[i].overlaps(box)) visit(a.tree->triangle(i));
    } else {
      open.push_back(node.right);
      open.push_back(at + 1);
    }
  }
}

template <class Visit>
void visit_leaves(const FittedTree& a, const FittedTree& b, const NodePair& pair,
                  const Visit& visit) {
  const BoxTree::Node &m = a.tree->nodes()[pair[0]], &n = b.tree->nodes()[pair[1]];
  const bool same = a.tree == b.tree && pair[0] == pair[1];
  for (int i = m.begin; i < m.end; ++i)
    for (int j = same ? i + 1 : n.begin; j < n.end; ++j)
      if (a.triangle[i].overlaps(b.triangle[j])) visit(a.tree->triangle(i), b.tree->triangle(j));
}

// use(pair of nodes) for each that `pair` opens into.
template <class Use>
void open_nodes(const FittedTree& a, const FittedTree& b, const NodePair& pair, const Use& use) {
  const BoxTree::Node &m = a.tree->nodes()[pair[0]], &n = b.tree->nodes()[pair[1]];
  const auto use_if_near = [&](int i, int j) {
    if (a.node[i].overlaps(b.node[j])) use(NodePair{i, j});
  };
  if (a.tree == b.tree && pair[0] == pair[1]) {
    use(NodePair{pair[0] + 1, pair[0] + 1});
    use(NodePair{m.right, m.right});
    use_if_near(pair[0] + 1, m.right);
  } else if (n.is_leaf() || (!m.is_leaf() && m.end - m.begin >= n.end - n.begin)) {
    use_if_near(pair[0] + 1, pair[1]);
    use_if_near(m.right, pair[1]);
  } else {
    use_if_near(pair[0], pair[1] + 1);
    use_if_near(pair[0], n.right);
  }
}

template <class Visit>
void visit_overlaps(const FittedTree& a, const FittedTree& b, const NodePair& from,
                    const Visit& visit) {
  std::vector<NodePair> open{from};
  while (!open.empty()) {
    const NodePair pair = open.back();
    open.pop_back();
    if (a.tree->nodes()[pair[0]].is_leaf() && b.tree->nodes()[pair[1]].is_leaf())
      visit_leaves(a, b, pair, visit);
    else
      open_nodes(a, b, pair, [&](const NodePair& next) { open.push_back(next); });
  }
}

}  // namespace dashpot
