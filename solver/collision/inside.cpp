#include "solver/collision/inside.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "solver/collision/closest_points.h"
#include "solver/collision/orientation.h"

namespace dashpot {
namespace {

double squared_distance(const BoundingBox& box, const Vec3& p) {
  return (p - p.cwiseMax(box.low).cwiseMin(box.high)).squaredNorm();
}

// How often a ray that ends outside leaves the surface, less how often it enters. False if it
// meets an edge or a corner.
bool count_exits(const ContactSurface& surface, const FittedTree& fitted, const Points& x,
                 const Vec3& place, const Vec3& far, int& exits) {
  BoundingBox box;
  box.include(place);
  box.include(far);
  exits = 0;
  bool clear = true;
  visit_overlaps(fitted, box, [&](int triangle) {
    const Triangle& t = surface.triangles()[triangle];
    const Vec3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
    const Crossing crossing = cross(place, far, a, b, c);
    if (crossing == Crossing::kTouch) clear = false;
    if (crossing == Crossing::kCross) exits += orientation(a, b, c, far);
  });
  return clear;
}

bool is_near(const ContactSurface& surface, const FittedTree& fitted, const Points& x,
             const Vec3& place, double distance) {
  BoundingBox box;
  box.include(place);
  box.grow(distance);
  bool near = false;
  visit_overlaps(fitted, box, [&](int triangle) {
    if (near) return;
    const Triangle& t = surface.triangles()[triangle];
    const Vec3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
    const Vec3 w = closest_on_triangle(place, a, b, c).weight;
    near = (w[0] * (a - place) + w[1] * (b - place) + w[2] * (c - place)).norm() <= distance;
  });
  return near;
}

// Points that edges connect without meeting the other body are on the same side of it.
class Pieces {
 public:
  explicit Pieces(int count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  int of(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

class InsideSearch {
 public:
  InsideSearch(FittedSurface& fitted, int body, int other, double skin)
      : surface_(fitted.surface()),
        x_(fitted.points()),
        other_(fitted[other]),
        points_(surface_.points_of_body(body)),
        edges_(surface_.edges_of_body(body)),
        box_(fitted.body_boxes()[other]),
        skin_(skin),
        touches_(static_cast<std::size_t>(points_.size()), 0) {
    for (int i = 0; i < points_.size(); ++i)
      touches_[i] = is_near(surface_, other_, x_, x_.col(points_[i]), skin_);
  }

  // meets: edges of the body that touch or cross the other, ascending.
  InsideOfBody run(const std::vector<int>& meets) const {
    InsideOfBody inside;
    Pieces pieces = connect(meets);
    std::vector<char> verdict = judge(pieces);
    for (int i = 0; i < points_.size(); ++i)
      if (!touches_[i] && verdict[pieces.of(i)]) inside.points.push_back(points_[i]);
    for (const int e : meets) {
      const Edge& edge = surface_.edges()[e];
      if (touches_[place(edge[0])] && touches_[place(edge[1])] &&
          is_deep(0.5 * (x_.col(edge[0]) + x_.col(edge[1]))))
        inside.edges.push_back(e);
    }
    return inside;
  }

 private:
  int place(int point) const {
    return static_cast<int>(std::lower_bound(points_.begin(), points_.end(), point) -
                            points_.begin());
  }
  bool is_deep(const Vec3& p) const {
    return box_.contains(p) && !is_near(surface_, other_, x_, p, skin_) &&
           is_inside(surface_, other_, x_, p);
  }

  Pieces connect(const std::vector<int>& meets) const {
    Pieces pieces(points_.size());
    for (const int e : edges_) {
      const int a = place(surface_.edges()[e][0]), b = place(surface_.edges()[e][1]);
      if (!touches_[a] && !touches_[b] && !std::binary_search(meets.begin(), meets.end(), e))
        pieces.join(a, b);
    }
    return pieces;
  }

  // By piece, at its first point: inside. A piece that leaves the other's box is not.
  std::vector<char> judge(Pieces& pieces) const {
    std::vector<char> possible(touches_.size(), 1);
    for (int i = 0; i < points_.size(); ++i)
      if (!box_.contains(x_.col(points_[i]))) possible[pieces.of(i)] = 0;
    for (int i = 0; i < points_.size(); ++i)
      if (pieces.of(i) == i && possible[i])
        possible[i] = !touches_[i] && is_inside(surface_, other_, x_, x_.col(points_[i]));
    return possible;
  }

  const ContactSurface& surface_;
  const Points& x_;
  const FittedTree& other_;
  IndexRange points_, edges_;
  BoundingBox box_;
  double skin_;
  std::vector<char> touches_;  // nearer to the other than the skin
};

}  // namespace

NearestFace nearest_face(const ContactSurface& surface, const FittedTree& fitted, const Points& x,
                         const Vec3& place) {
  NearestFace best{-1, Vec3::Zero(), std::numeric_limits<double>::infinity()};
  std::vector<int> open{0};
  while (!open.empty()) {
    const int at = open.back();
    open.pop_back();
    if (squared_distance(fitted.node[at], place) > best.distance * best.distance) continue;
    const BoxTree::Node& node = fitted.tree->nodes()[at];
    if (!node.is_leaf()) {
      const bool right_first = squared_distance(fitted.node[node.right], place) <
                               squared_distance(fitted.node[at + 1], place);
      open.push_back(right_first ? at + 1 : node.right);
      open.push_back(right_first ? node.right : at + 1);
      continue;
    }
    for (int i = node.begin; i < node.end; ++i) {
      const int triangle = fitted.tree->triangle(i);
      const Triangle& t = surface.triangles()[triangle];
      const Vec3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
      const Vec3 w = closest_on_triangle(place, a, b, c).weight;
      const double distance = (w[0] * (a - place) + w[1] * (b - place) + w[2] * (c - place)).norm();
      if (distance < best.distance || (distance == best.distance && triangle < best.triangle))
        best = {triangle, w, distance};
    }
  }
  return best;
}

bool is_inside(const ContactSurface& surface, const FittedTree& fitted, const Points& x,
               const Vec3& place) {
  // Close to an axis, so that a ray's box is slim; odd enough not to run along grids.
  const double slopes[][2] = {{0.0137, 0.0071},   {-0.0113, 0.0193}, {0.0041, -0.0231},
                              {-0.0273, -0.0089}, {0.0317, 0.0379},  {-0.0431, 0.0457}};
  const double length = 2 * (fitted.root().high - fitted.root().low).sum() +
                        (place - fitted.root().low).cwiseAbs().sum();
  for (const auto& slope : slopes) {
    int exits = 0;
    const Vec3 far = place + length * Vec3(1, slope[0], slope[1]);
    if (count_exits(surface, fitted, x, place, far, exits)) return exits > 0;
  }
  return false;
}

InsideOfBody find_inside(FittedSurface& fitted, int body, int other,
                         const std::vector<EdgeTriangleCrossing>& crossings, double skin) {
  const ContactSurface& surface = fitted.surface();
  std::vector<int> meets;
  for (const EdgeTriangleCrossing& found : crossings)
    if (surface.body_of_edge(found.pair.edge) == body &&
        surface.body_of_triangle(found.pair.triangle) == other &&
        (meets.empty() || meets.back() != found.pair.edge))
      meets.push_back(found.pair.edge);
  return InsideSearch(fitted, body, other, skin).run(meets);
}

}  // namespace dashpot
