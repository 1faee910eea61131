#include "solver/collision/broad_phase.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

// Room for the answer to differ from the guess.
constexpr double kShareOfMotion = 0.5, kShareOfEdge = 0.05;
// A step that crushes a body as a whole to less than this is not one to find contacts of.
constexpr double kLeastStretch = 0.1;

double mean_edge_of(const ContactSurface& surface, int body, const Points& x) {
  double sum = 0;
  const IndexRange edges = surface.edges_of_body(body);
  for (const int e : edges)
    sum += (x.col(surface.edges()[e][1]) - x.col(surface.edges()[e][0])).norm();
  return edges.size() > 0 ? sum / edges.size() : 0;
}

// Boxes of all features follow from those of their points.
class PairCollector {
 public:
  PairCollector(const ContactSurface& surface, const SurfaceTrees& trees, const PairRules& rules,
                const std::vector<BoundingBox>& boxes, const Points& x)
      : surface_(surface), trees_(trees), rules_(rules), boxes_(boxes), x_(x) {}

  // keep(pair): what is near enough of what the boxes let through.
  template <class Keep>
  void collect(int s, int t, const Keep& keep) {
    const Triangle &a = surface_.triangles()[s], &b = surface_.triangles()[t];
    const BoundingBox box_a = box_of(a, boxes_), box_b = box_of(b, boxes_);
    for (int k = 0; k < 3; ++k) {
      if (trees_.answers_for_corner(s, k)) vertex_triangle(a[k], t, box_b, keep);
      if (trees_.answers_for_corner(t, k)) vertex_triangle(b[k], s, box_a, keep);
    }
    for (int k = 0; k < 3; ++k)
      if (trees_.answers_for_edge(s, k))
        edge_triangle(surface_.edges_of_triangle(s)[k], t, box_b, keep);
  }

  std::vector<CandidatePair> found;

 private:
  template <class Keep>
  void vertex_triangle(int vertex, int triangle, const BoundingBox& box, const Keep& keep) {
    const Triangle& t = surface_.triangles()[triangle];
    if (!boxes_[vertex].overlaps(box) || has_point(t, vertex)) return;
    add({Primitives::kVertexTriangle, vertex, triangle, 0},
        rules_.is_fixed(std::array<int, 1>{vertex}) && rules_.is_fixed(t), keep);
  }

  template <class Keep>
  void edge_triangle(int edge, int triangle, const BoundingBox& box, const Keep& keep) {
    const Edge& d = surface_.edges()[edge];
    const BoundingBox edge_box = box_of(d, boxes_);
    if (!edge_box.overlaps(box)) return;
    for (int k = 0; k < 3; ++k) {
      if (!trees_.answers_for_edge(triangle, k)) continue;
      const int other = surface_.edges_of_triangle(triangle)[k];
      const Edge& e = surface_.edges()[other];
      if (has_point(e, d[0]) || has_point(e, d[1]) || !edge_box.overlaps(box_of(e, boxes_)))
        continue;
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
  const std::vector<BoundingBox>& boxes_;
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

}  // namespace

FourPoints four_points(const ContactSurface& surface, const CandidatePair& pair, const Points& x) {
  if (pair.kind == Primitives::kVertexTriangle) {
    const Triangle& t = surface.triangles()[pair.second];
    return {x.col(pair.first), x.col(t[0]), x.col(t[1]), x.col(t[2])};
  }
  const Edge &d = surface.edges()[pair.first], &e = surface.edges()[pair.second];
  return {x.col(d[0]), x.col(d[1]), x.col(e[0]), x.col(e[1])};
}

BroadPhase::BroadPhase(const ContactSurface& surface, const PairRules& rules, double reach)
    : surface_(surface),
      rules_(rules),
      reach_(reach),
      trees_(surface),
      way_(static_cast<std::size_t>(surface.point_count())),
      own_(way_.size()),
      body_way_(static_cast<std::size_t>(surface.body_count())),
      departure_(way_.size(), 0),
      stretch_(body_way_.size(), 1) {}

void BroadPhase::bound_ways(const Points& before, const Points& guess) {
  parallel_each(surface_.body_count(), 1, [&](std::ptrdiff_t b) {
    const int body = static_cast<int>(b);
    const double margin = reach_ + kShareOfEdge * mean_edge_of(surface_, body, before);
    body_way_[b] = BoundingBox();
    for (const int p : surface_.points_of_body(body)) {
      BoundingBox& box = way_[p] = BoundingBox();
      box.include(Vec3(before.col(p)));
      box.include(Vec3(guess.col(p)));
      box.grow(margin + kShareOfMotion * (guess.col(p) - before.col(p)).norm());
      body_way_[b].include(box);
    }
  });
}

void BroadPhase::bound_departures(int body, const Points& before, const Points& guess) {
  constexpr double kRoom = 2;
  const IndexRange points = surface_.points_of_body(body);
  const AffineMotion motion(points, before, guess);
  const double margin = kShareOfEdge * mean_edge_of(surface_, body, before);
  stretch_[body] = std::max(kLeastStretch, 0.8 * motion.least_stretch());
  for (const int p : points) {
    departure_[p] = margin + kRoom * motion.departure(before.col(p), guess.col(p));
    own_[p].low = own_[p].high = before.col(p);
    own_[p].grow((departure_[p] + reach_) / stretch_[body]);
  }
}

void BroadPhase::search_self(int body, const Points& before, std::vector<CandidatePair>& found) {
  const FittedTree fitted = trees_.fitted(body, own_);
  const auto allowed = [&](auto first, auto last) {
    double most = 0;
    for (; first != last; ++first) most = std::max(most, departure_[*first]);
    return most;
  };
  const auto allowed_of = [&](const auto& points) { return allowed(points.begin(), points.end()); };
  const auto keep = [&](const CandidatePair& pair) {
    const double departures =
        pair.kind == Primitives::kVertexTriangle
            ? departure_[pair.first] + allowed_of(surface_.triangles()[pair.second])
            : allowed_of(surface_.edges()[pair.first]) + allowed_of(surface_.edges()[pair.second]);
    return stretch_[body] * pair.distance <= 2 * reach_ + departures;
  };
  collect_overlaps(fitted, fitted, PairCollector(surface_, trees_, rules_, own_, before), keep,
                   found);
}

void BroadPhase::search_between(const FittedTree& a, const FittedTree& b, const Points& before,
                                std::vector<CandidatePair>& found) const {
  collect_overlaps(
      a, b, PairCollector(surface_, trees_, rules_, way_, before),
      [](const CandidatePair&) { return true; }, found);
}

std::vector<CandidatePair> BroadPhase::search(const Points& before, const Points& guess) {
  std::vector<CandidatePair> found;
  std::vector<char> prepared(body_way_.size(), 0);
  std::vector<FittedTree> fitted(body_way_.size());
  const auto prepare = [&](int body) {
    if (!prepared[body]) trees_.prepare(body, before, own_);
    prepared[body] = 1;
  };
  bound_ways(before, guess);
  for (const std::array<int, 2>& pair : overlapping_boxes(body_way_)) {
    if (!rules_.touch(pair[0], pair[1], surface_.body_count())) continue;
    for (const int body : pair)
      if (fitted[body].tree == nullptr) {
        prepare(body);
        fitted[body] = trees_.fitted(body, way_);
      }
    search_between(fitted[pair[0]], fitted[pair[1]], before, found);
  }
  for (int body = 0; body < surface_.body_count(); ++body) {
    if (!rules_.touches_itself(body) || surface_.triangles_of_body(body).size() == 0) continue;
    prepare(body);
    bound_departures(body, before, guess);
    search_self(body, before, found);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool BroadPhase::covers_departures(int body, const Points& before, const Points& x) const {
  const IndexRange points = surface_.points_of_body(body);
  const AffineMotion motion(points, before, x);
  if (motion.least_stretch() < stretch_[body] && stretch_[body] > kLeastStretch) return false;
  for (const int p : points)
    if (motion.departure(before.col(p), x.col(p)) > departure_[p]) return false;
  return true;
}

bool BroadPhase::covers(const Points& before, const Points& x) const {
  for (int body = 0; body < surface_.body_count(); ++body) {
    if (surface_.body_count() > 1)
      for (const int p : surface_.points_of_body(body))
        if (!way_[p].contains(x.col(p))) return false;
    if (rules_.touches_itself(body) && !covers_departures(body, before, x)) return false;
  }
  return true;
}

}  // namespace dashpot
