#include "solver/collision/pair_features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "solver/collision/additive_ccd.h"
#include "solver/collision/closest_points.h"
#include "solver/collision/surface_normals.h"

namespace dashpot {
namespace {

// Offset-geometric blocks (Chen et al. 2025), with slack: the normals n that leave a feature are
// those that no neighbouring feature is nearer along.
constexpr double kVertexSlack = 1e-2, kEdgeSlack = 5e-2, kCrossingSlack = 0.2;

bool leaves_edge(const ContactSurface& surface, const MovingPoints& x, int edge, const Vec3& normal,
                 double slack) {
  const Edge& e = surface.edges()[edge];
  const Vec3 a = x(e[0]), along = (x(e[1]) - a).stableNormalized();
  for (const int opposite : surface.opposite_points(edge)) {
    const Vec3 arm = x(opposite) - a;
    const Vec3 into_face = (arm - arm.dot(along) * along).stableNormalized();
    if (normal.dot(into_face) >= slack) return false;
  }
  return true;
}

bool leaves_vertex(const ContactSurface& surface, const MovingPoints& x, int vertex,
                   const Vec3& normal, double slack) {
  const Vec3 centre = x(vertex);
  for (const int neighbour : surface.neighbours(vertex))
    if (normal.dot((x(neighbour) - centre).stableNormalized()) >= slack) return false;
  return true;
}

bool is_inner(double share) {
  constexpr double kEnd = 1e-6;
  return share > kEnd && share < 1 - kEnd;
}

class StencilMaker {
 public:
  StencilMaker(const ContactSurface& surface, const MovingPoints& x, const FeatureChoice& choice,
               std::vector<PairStencil>& out)
      : surface_(surface), x_(x), choice_(choice), out_(out) {}

  void vertex_face(int vertex, int triangle, const Vec3& weight) {
    const Triangle& t = surface_.triangles()[triangle];
    take({FeaturePair::kVertexFace, vertex, triangle}, {vertex, t[0], t[1], t[2]},
         {1, -weight[0], -weight[1], -weight[2]}, 4, [](const Vec3&) { return true; });
  }

  // share: of the way from the edge's first point to its second.
  void vertex_edge(int vertex, int edge, double share) {
    const Edge& e = surface_.edges()[edge];
    take({FeaturePair::kVertexEdge, vertex, edge}, {vertex, e[0], e[1]}, {1, share - 1, -share}, 3,
         [&](const Vec3& n) {
           return leaves_edge(surface_, x_, edge, n, kVertexSlack) &&
                  leaves_vertex(surface_, x_, vertex, -n, kVertexSlack);
         });
  }

  // Both vertices: one in the middle of a face is never what is nearest.
  void vertex_vertex(int vertex, int other) {
    const int first = std::min(vertex, other), second = std::max(vertex, other);
    take({FeaturePair::kVertexVertex, first, second}, {first, second}, {1, -1}, 2,
         [&](const Vec3& n) {
           return leaves_vertex(surface_, x_, second, n, kVertexSlack) &&
                  leaves_vertex(surface_, x_, first, -n, kVertexSlack);
         });
  }

  void edge_edge(int first, int second, const ClosestOnEdges& on) {
    const Edge &d = surface_.edges()[first], &e = surface_.edges()[second];
    take({FeaturePair::kEdgeEdge, first, second}, {d[0], d[1], e[0], e[1]},
         {1 - on.first, on.first, on.second - 1, -on.second}, 4, [&](const Vec3& n) {
           const double slack = choice_.filter == FeatureFilter::kAll ? kEdgeSlack : kCrossingSlack;
           return leaves_edge(surface_, x_, second, n, slack) &&
                  leaves_edge(surface_, x_, first, -n, slack);
         });
  }

  // The closest place of an edge to a vertex: inside, or one of its ends.
  void vertex_against_edge(int vertex, int edge, double share) {
    const Edge& e = surface_.edges()[edge];
    if (is_inner(share))
      vertex_edge(vertex, edge, share);
    else
      vertex_vertex(vertex, e[share < 0.5 ? 0 : 1]);
  }

 private:
  template <class Leaves>
  void take(const FeaturePairId& id, const std::array<int, 4>& point,
            const std::array<double, 4>& weight, int count, const Leaves& leaves) {
    const Vec3 anchor = x_(point[0]);
    Vec3 gap = Vec3::Zero();
    for (int k = 1; k < count; ++k) gap += weight[k] * (x_(point[k]) - anchor);
    const double distance = gap.norm();
    const bool coincident = distance < choice_.coincident;
    const Vec3 normal =
        coincident ? touching_normal(surface_, x_.before, id) : Vec3(gap / distance);
    if (!coincident && is_from_inside(id, normal)) return;
    if (!is_kept(id)) {
      if (choice_.filter == FeatureFilter::kOnlyKept) return;
      if (choice_.filter != FeatureFilter::kNone && !coincident && !leaves(normal)) return;
    }
    out_.push_back({id, point, weight, count, normal, distance, x_.time});
  }

  bool is_kept(const FeaturePairId& id) const {
    return std::binary_search(choice_.kept.begin(), choice_.kept.end(), id);
  }

  // A place that a solver only tries may be inside already, through another feature.
  bool is_from_inside(const FeaturePairId& id, const Vec3& normal) const {
    constexpr double kInside = -0.1;
    const auto [first, second] = outward(id);
    return normal.dot(second) < kInside || normal.dot(first) > -kInside;
  }
  std::array<Vec3, 2> outward(const FeaturePairId& id) const {
    switch (id.kind) {
      case FeaturePair::kVertexFace:
        return {Vec3::Zero(), face(id.second)};
      case FeaturePair::kVertexEdge:
        return {Vec3::Zero(), around(surface_.triangles_of_edge(id.second))};
      case FeaturePair::kVertexVertex:
        return {Vec3::Zero(), Vec3::Zero()};
      case FeaturePair::kEdgeEdge:
        break;
    }
    return {around(surface_.triangles_of_edge(id.first)),
            around(surface_.triangles_of_edge(id.second))};
  }
  Vec3 face(int triangle) const {
    const Triangle& t = surface_.triangles()[triangle];
    return (x_(t[1]) - x_(t[0])).cross(x_(t[2]) - x_(t[0])).stableNormalized();
  }
  Vec3 around(IndexRange faces) const {
    Vec3 sum = Vec3::Zero();
    for (const int t : faces) sum += face(t);
    return sum.stableNormalized();
  }

  const ContactSurface& surface_;
  const MovingPoints& x_;
  const FeatureChoice& choice_;
  std::vector<PairStencil>& out_;
};

// The share along the edge opposite to corner k, in the edge's own direction.
double share_on_edge(const Triangle& t, int k, const Vec3& weight) {
  const int a = (k + 1) % 3, b = (k + 2) % 3;
  const double sum = weight[a] + weight[b];
  return (t[a] < t[b] ? weight[b] : weight[a]) / sum;
}

}  // namespace

void add_vertex_triangle(const ContactSurface& surface, const MovingPoints& x, int vertex,
                         int triangle, const FeatureChoice& choice, std::vector<PairStencil>& out) {
  // A place on an edge must not be taken for one on the face by rounding: where surfaces touch, the
  // face's normal may be quite another.
  constexpr double kOnBorder = 1e-9;
  const Triangle& t = surface.triangles()[triangle];
  ClosestOnTriangle on = closest_on_triangle(x(vertex), x(t[0]), x(t[1]), x(t[2]));
  if (on.part == TrianglePart::kFace && on.weight.minCoeff(&on.number) < kOnBorder)
    on.part = TrianglePart::kEdge;
  StencilMaker make(surface, x, choice, out);
  switch (on.part) {
    case TrianglePart::kFace:
      make.vertex_face(vertex, triangle, on.weight);
      break;
    case TrianglePart::kEdge:
      make.vertex_against_edge(vertex, surface.edges_of_triangle(triangle)[on.number],
                               share_on_edge(t, on.number, on.weight));
      break;
    case TrianglePart::kCorner:
      make.vertex_vertex(vertex, t[on.number]);
      break;
  }
}

void add_edge_edge(const ContactSurface& surface, const MovingPoints& x, int first, int second,
                   const FeatureChoice& choice, std::vector<PairStencil>& out) {
  constexpr double kParallel = 1e-8;  // sine squared
  constexpr double kAsNear = 1.2;     // ends that also carry when edges are parallel
  const Edge &d = surface.edges()[first], &e = surface.edges()[second];
  const std::array<int, 4> point = {d[0], d[1], e[0], e[1]};
  const FourPoints p = {x(d[0]), x(d[1]), x(e[0]), x(e[1])};
  StencilMaker make(surface, x, choice, out);
  const ClosestOnEdges on = closest_on_edges(p);
  if (is_inner(on.first) && is_inner(on.second) && on.sine_squared >= kParallel) {
    make.edge_edge(first, second, on);
    return;
  }
  const double distance = separation(Primitives::kEdgeEdge, p).norm();
  for (int k = 0; k < 4; ++k) {
    const int other = k < 2 ? 2 : 0;
    const double share = closest_on_edge(p[k], p[other], p[other + 1]);
    const Vec3 place = p[other] + share * (p[other + 1] - p[other]);
    if ((p[k] - place).norm() <= std::max(kAsNear * distance, choice.coincident))
      make.vertex_against_edge(point[k], k < 2 ? second : first, share);
  }
}

}  // namespace dashpot
