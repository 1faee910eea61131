#include "solver/collision/tangles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/collision/inside.h"

namespace dashpot {
namespace {

constexpr double kSkin = 1e-6;  // of the gap: nearer features coincide for the detector, too

template <class Entry>
void sort_unique(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
}

template <class Entry>
bool is_listed(const std::vector<Entry>& entries, const Entry& entry) {
  return std::binary_search(entries.begin(), entries.end(), entry);
}

Vec3 place_of_crossing(const Vec3& p, const Vec3& q, const Vec3& on_plane, const Vec3& normal) {
  const double at_p = std::abs(normal.dot(p - on_plane)), at_q = std::abs(normal.dot(q - on_plane));
  return at_p + at_q > 0 ? Vec3(p + at_p / (at_p + at_q) * (q - p)) : p;
}

}  // namespace

Tangles::Tangles(const ContactSurface& surface, PairRules rules, double gap)
    : surface_(surface), rules_(std::move(rules)), skin_(kSkin * gap), trees_(surface) {}

// The shortest way out: of an end of the edge through the plane, or of the edge over a border.
bool Tangles::is_shallow(const EdgeTriangle& pair, const Points& x) const {
  const Edge& e = surface_.edges()[pair.edge];
  const Triangle& t = surface_.triangles()[pair.triangle];
  const Vec3 p = x.col(e[0]), q = x.col(e[1]), a = x.col(t[0]);
  const Vec3 b = x.col(t[1]), c = x.col(t[2]);
  const Vec3 normal = (b - a).cross(c - a).stableNormalized();
  double way = std::min(std::abs(normal.dot(p - a)), std::abs(normal.dot(q - a)));
  for (int k = 0; k < 3; ++k) {
    const Vec3 from = x.col(t[k]), border = x.col(t[(k + 1) % 3]) - from;
    const Vec3 across = (q - p).cross(border).stableNormalized();
    way = std::min(way, std::abs(across.dot(from - p)));
  }
  return way <= skin_;
}

void Tangles::keep_deep(const std::vector<EdgeTriangleCrossing>& all, const Points& x) {
  for (const EdgeTriangleCrossing& found : all) {
    const Edge& e = surface_.edges()[found.pair.edge];
    const Triangle& t = surface_.triangles()[found.pair.triangle];
    if (found.crossing != Crossing::kCross || is_shallow(found.pair, x) ||
        (rules_.is_fixed(e) && rules_.is_fixed(t)))
      continue;
    crossings_.push_back(found.pair);
    const Vec3 a = x.col(t[0]), b = x.col(t[1]), c = x.col(t[2]);
    places_.push_back(
        place_of_crossing(x.col(e[0]), x.col(e[1]), a, (b - a).cross(c - a).stableNormalized()));
    const int body = surface_.body_of_edge(found.pair.edge);
    const int other = surface_.body_of_triangle(found.pair.triangle);
    if (body == other) {
      mark_ring(found.pair);
    } else {
      lose_edge(found.pair.edge, other);
      lost_triangles_.push_back({found.pair.triangle, body});
    }
  }
}

void Tangles::lose_edge(int edge, int other) {
  lost_edges_.push_back({edge, other});
  for (const int t : surface_.triangles_of_edge(edge)) lost_triangles_.push_back({t, other});
}

void Tangles::lose_point(int point, int other) {
  inside_.push_back({point, other});
  for (const int t : surface_.triangles_of_point(point)) {
    lost_triangles_.push_back({t, other});
    for (const int e : surface_.edges_of_triangle(t))
      if (has_point(surface_.edges()[e], point)) lost_edges_.push_back({e, other});
  }
}

void Tangles::mark_ring(const EdgeTriangle& pair) {
  const auto mark = [&](int p) {
    ring_[p] = 1;
    for (const int neighbour : surface_.neighbours(p)) ring_[neighbour] = 1;
  };
  for (const int p : surface_.edges()[pair.edge]) mark(p);
  for (const int p : surface_.triangles()[pair.triangle]) mark(p);
}

void Tangles::lose_inside(FittedSurface& fitted, const std::vector<EdgeTriangleCrossing>& all,
                          int body, int other) {
  if (!surface_.closed(other)) return;
  const InsideOfBody inside = find_inside(fitted, body, other, all, skin_);
  for (const int p : inside.points) {
    lose_point(p, other);
    places_.emplace_back(fitted.points().col(p));
  }
  for (const int e : inside.edges) lose_edge(e, other);
}

void Tangles::sort_lost() {
  sort_unique(inside_);
  sort_unique(lost_edges_);
  sort_unique(lost_triangles_);
}

void Tangles::find(const Points& x, const std::vector<int>& collapsed) {
  crossings_.clear();
  inside_.clear();
  lost_edges_.clear();
  lost_triangles_.clear();
  places_.clear();
  ring_.assign(static_cast<std::size_t>(surface_.point_count()), 0);
  has_collapsed_ = !collapsed.empty();
  for (const int point : collapsed) ring_[point] = 1;
  const auto touch = [&](int a, int b) { return rules_.touch(a, b, surface_.body_count()); };
  FittedSurface fitted(surface_, trees_, x);
  const std::vector<EdgeTriangleCrossing> all = find_crossings(fitted, touch);
  keep_deep(all, x);
  for (const std::array<int, 2>& pair : overlapping_boxes(fitted.body_boxes())) {
    if (!touch(pair[0], pair[1])) continue;
    lose_inside(fitted, all, pair[0], pair[1]);
    lose_inside(fitted, all, pair[1], pair[0]);
  }
  sort_lost();
}

bool Tangles::ignores(const CandidatePair& pair) const {
  const auto in_ring = [&](const auto& points) {
    return std::any_of(points.begin(), points.end(), [&](int p) { return ring_[p] != 0; });
  };
  if (pair.kind == Primitives::kVertexTriangle) {
    const int body = surface_.body_of_point(pair.first);
    const int other = surface_.body_of_triangle(pair.second);
    if (body == other) return ring_[pair.first] && in_ring(surface_.triangles()[pair.second]);
    return is_listed(inside_, {pair.first, other}) ||
           is_listed(lost_triangles_, {pair.second, body});
  }
  const int body = surface_.body_of_edge(pair.first), other = surface_.body_of_edge(pair.second);
  if (body == other)
    return in_ring(surface_.edges()[pair.first]) && in_ring(surface_.edges()[pair.second]);
  return is_listed(lost_edges_, {pair.first, other}) || is_listed(lost_edges_, {pair.second, body});
}

std::vector<PairStencil> Tangles::pushes(const Points& x) const {
  std::vector<PairStencil> stencils;
  std::vector<BoundingBox> boxes(static_cast<std::size_t>(surface_.point_count()));
  std::vector<FittedTree> fitted(static_cast<std::size_t>(surface_.body_count()));
  for (const auto& [point, other] : inside_) {
    if (fitted[other].tree == nullptr) {
      set_point_boxes(surface_, other, x, boxes);
      fitted[other] = trees_.fitted(other, boxes);
    }
    const Vec3 place = x.col(point);
    const NearestFace face = nearest_face(surface_, fitted[other], x, place);
    const Triangle& t = surface_.triangles()[face.triangle];
    if (rules_.is_fixed(std::array<int, 1>{point}) && rules_.is_fixed(t)) continue;
    const Vec3& w = face.weight;
    const Vec3 out =
        w[0] * (x.col(t[0]) - place) + w[1] * (x.col(t[1]) - place) + w[2] * (x.col(t[2]) - place);
    if (!(face.distance > 0)) continue;
    stencils.push_back({{FeaturePair::kVertexFace, point, face.triangle},
                        {point, t[0], t[1], t[2]},
                        {1, -w[0], -w[1], -w[2]},
                        4,
                        out / face.distance,
                        -face.distance,
                        1});
  }
  return stencils;
}

}  // namespace dashpot
