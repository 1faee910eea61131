#include "solver/collision/intersections.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "solver/base/parallel.h"
#include "solver/collision/orientation.h"

namespace dashpot {
namespace {

struct LineThroughTriangle {
  Crossing crossing;
  int border = -1;  // corner opposite to the border that the line goes through
};

LineThroughTriangle line_through(const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& corner) {
  const int side_p = orientation(corner[0], corner[1], corner[2], p);
  const int side_q = orientation(corner[0], corner[1], corner[2], q);
  if (side_p * side_q > 0) return {Crossing::kApart};
  if (side_p == 0 && side_q == 0) return {Crossing::kTouch};
  int on_border = 0, border = -1, turn = 0;
  for (int k = 0; k < 3; ++k) {
    const int way = orientation(p, q, corner[(k + 1) % 3], corner[(k + 2) % 3]);
    if (way * turn < 0) return {Crossing::kApart};
    if (way != 0) turn = way;
    if (way == 0) {
      ++on_border;
      border = k;
    }
  }
  if (side_p * side_q == 0 || on_border > 1) return {Crossing::kTouch};
  return {on_border == 0 ? Crossing::kCross : Crossing::kTouch, border};
}

// Through the border of a triangle the line leaves one side of the surface for the other if the
// faces there lie on different sides of the plane through line and border.
bool crosses_border(const ContactSurface& surface, const Points& x, int border, const Vec3& p) {
  const IndexRange opposite = surface.opposite_points(border);
  if (opposite.size() != 2) return true;
  const Edge& e = surface.edges()[border];
  const auto side = [&](int c) { return orientation(x.col(e[0]), x.col(e[1]), x.col(c), p); };
  return side(opposite[0]) * side(opposite[1]) < 0;
}

class CrossingCollector {
 public:
  explicit CrossingCollector(const FittedSurface& fitted)
      : surface_(fitted.surface()), trees_(fitted.trees()), x_(fitted.points()) {}

  void collect(int s, int t) {
    edges_against(s, t);
    edges_against(t, s);
  }

  std::vector<EdgeTriangleCrossing> found;

 private:
  void edges_against(int edges_of, int triangle) {
    const Triangle& t = surface_.triangles()[triangle];
    const std::array<Vec3, 3> corner = {x_.col(t[0]), x_.col(t[1]), x_.col(t[2])};
    BoundingBox box;
    for (const Vec3& c : corner) box.include(c);
    for (int k = 0; k < 3; ++k) {
      if (!trees_.answers_for_edge(edges_of, k)) continue;
      const int edge = surface_.edges_of_triangle(edges_of)[k];
      const Edge& e = surface_.edges()[edge];
      if (has_point(t, e[0]) || has_point(t, e[1])) continue;
      BoundingBox edge_box;
      edge_box.include(Vec3(x_.col(e[0])));
      edge_box.include(Vec3(x_.col(e[1])));
      if (edge_box.overlaps(box)) test(edge, triangle, corner);
    }
  }

  void test(int edge, int triangle, const std::array<Vec3, 3>& corner) {
    const Edge& e = surface_.edges()[edge];
    LineThroughTriangle line = line_through(x_.col(e[0]), x_.col(e[1]), corner);
    if (line.crossing == Crossing::kApart) return;
    if (line.border >= 0 &&
        crosses_border(surface_, x_, surface_.edges_of_triangle(triangle)[line.border],
                       x_.col(e[0])))
      line.crossing = Crossing::kCross;
    found.push_back({{edge, triangle}, line.crossing});
  }

  const ContactSurface& surface_;
  const SurfaceTrees& trees_;
  const Points& x_;
};

void find_between(const FittedTree& a, const FittedTree& b, const FittedSurface& fitted,
                  std::vector<EdgeTriangleCrossing>& found) {
  const std::vector<NodePair> work = overlapping_nodes(a, b);
  std::vector<std::vector<EdgeTriangleCrossing>> parts(work.size());
  parallel_each(static_cast<std::ptrdiff_t>(work.size()), 4, [&](std::ptrdiff_t i) {
    CrossingCollector collector(fitted);
    visit_overlaps(a, b, work[i], [&](int s, int t) { collector.collect(s, t); });
    parts[i] = std::move(collector.found);
  });
  for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
}

}  // namespace

Crossing cross(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
  return line_through(p, q, {a, b, c}).crossing;
}

std::vector<EdgeTriangleCrossing> find_crossings(FittedSurface& fitted,
                                                 const std::function<bool(int, int)>& wanted) {
  std::vector<EdgeTriangleCrossing> found;
  const int body_count = fitted.surface().body_count();
  for (int body = 0; body < body_count; ++body)
    if (fitted.surface().triangles_of_body(body).size() > 0 && wanted(body, body))
      find_between(fitted[body], fitted[body], fitted, found);
  for (const std::array<int, 2>& pair : overlapping_boxes(fitted.body_boxes()))
    if (wanted(pair[0], pair[1])) find_between(fitted[pair[0]], fitted[pair[1]], fitted, found);
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.pair < b.pair; });
  return found;
}

std::vector<EdgeTriangle> find_intersections(const ContactSurface& surface, const Points& x) {
  SurfaceTrees trees(surface);
  FittedSurface fitted(surface, trees, x);
  std::vector<EdgeTriangle> intersections;
  for (const EdgeTriangleCrossing& found : find_crossings(fitted, [](int, int) { return true; }))
    if (found.crossing == Crossing::kCross) intersections.push_back(found.pair);
  return intersections;
}

}  // namespace dashpot
