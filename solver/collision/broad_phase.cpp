#include "solver/collision/broad_phase.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "solver/base/parallel.h"
#include "solver/collision/affine_motion.h"
#include "solver/collision/pair_collector.h"

namespace dashpot {
namespace {

// Room for the answer to differ from the guess.
constexpr double kShareOfMotion = 0.5, kShareOfEdge = 0.05;
// A step that crushes a body as a whole to less than this is not one to find contacts of.
constexpr double kLeastStretch = 0.1;

}  // namespace

BroadPhase::BroadPhase(const ContactSurface& surface, const PairRules& rules, double reach,
                       const Points& rest)
    : surface_(surface),
      rules_(rules),
      reach_(reach),
      rest_(rest),
      trees_(surface),
      clearance_(static_cast<std::size_t>(surface.body_count())),
      body_(clearance_.size()),
      way_(surface),
      own_(surface) {
  for (int body = 0; body < surface.body_count(); ++body)
    body_[body].margin = kShareOfEdge * surface.mean_edge(body, rest);
}

BroadPhase::~BroadPhase() = default;

// What all bodies do together does not bring them near each other.
Vec3 BroadPhase::common_motion(const Points& before, const Points& end) const {
  Vec3 sum = Vec3::Zero();
  for (const int p : surface_.vertices()) sum += end.col(p) - before.col(p);
  return surface_.vertices().empty() ? sum : sum / static_cast<double>(surface_.vertices().size());
}

void BroadPhase::bound_body(int body, const Points& before, const Points& guess,
                            const Vec3& shift) {
  BodySearch& own = body_[body];
  own.around = BoundingBox();
  double most = 0;
  for (const int p : surface_.points_of_body(body)) {
    const Vec3 begin = before.col(p), end = guess.col(p) - shift;
    own.around.include(begin);
    own.around.include(end);
    most = std::max(most, (end - begin).squaredNorm());
  }
  own.around.grow(reach_ + own.margin + kShareOfMotion * std::sqrt(most));
  own.has_ways = false;
}

void BroadPhase::bound_ways(int body, const Points& before, const Points& guess,
                            const Vec3& shift) {
  BodySearch& own = body_[body];
  own.around = BoundingBox();
  own.has_ways = true;
  for (const int p : surface_.points_of_body(body)) {
    const Vec3 begin = before.col(p), end = guess.col(p) - shift;
    BoundingBox& box = way_.point[p] = BoundingBox();
    box.include(begin);
    box.include(end);
    box.grow(reach_ + own.margin + kShareOfMotion * (end - begin).norm());
    own.around.include(box);
  }
  way_.fit(surface_, body);
}

// Those that may touch and whose boxes overlap, first < second; of these the ways are known.
std::vector<std::array<int, 2>> BroadPhase::near_bodies(const Points& before, const Points& guess) {
  const int count = surface_.body_count();
  if (count < 2) return {};
  const Vec3 shift = common_motion(before, guess);
  const auto overlapping = [&] {
    std::vector<BoundingBox> around;
    for (const BodySearch& body : body_) around.push_back(body.around);
    std::vector<std::array<int, 2>> pairs = overlapping_boxes(around);
    pairs.erase(
        std::remove_if(pairs.begin(), pairs.end(),
                       [&](const auto& pair) { return !rules_.touch(pair[0], pair[1], count); }),
        pairs.end());
    return pairs;
  };
  parallel_each(count, 1, [&](std::ptrdiff_t body) {
    bound_body(static_cast<int>(body), before, guess, shift);
  });
  std::vector<int> close;
  for (const std::array<int, 2>& pair : overlapping())
    close.insert(close.end(), pair.begin(), pair.end());
  if (close.empty()) return {};
  std::sort(close.begin(), close.end());
  close.erase(std::unique(close.begin(), close.end()), close.end());
  parallel_each(static_cast<std::ptrdiff_t>(close.size()), 1,
                [&](std::ptrdiff_t k) { bound_ways(close[k], before, guess, shift); });
  return overlapping();
}

void BroadPhase::search_between(const FittedTree& a, const FittedTree& b, const Points& before,
                                std::vector<CandidatePair>& found) const {
  collect_overlaps(
      a, b, PairCollector(surface_, trees_, rules_, way_, before),
      [](const CandidatePair&) { return true; }, found);
}

SelfClearance& BroadPhase::clearance(int body) {
  if (!clearance_[body])
    clearance_[body] = std::make_unique<SelfClearance>(
        surface_, body, make_rest_patches(surface_, trees_, body, rest_, own_), reach_);
  return *clearance_[body];
}

bool BroadPhase::is_fixed(const CandidatePair& pair) const {
  const auto fixed = [&](const auto& feature) { return rules_.is_fixed(feature); };
  if (pair.kind == Primitives::kEdgeEdge)
    return fixed(surface_.edges()[pair.first]) && fixed(surface_.edges()[pair.second]);
  return fixed(std::array<int, 1>{pair.first}) && fixed(surface_.triangles()[pair.second]);
}

// Whether it may; else it is farther away than the margin.
bool BroadPhase::comes_near(const CandidatePair& pair, const Way& way) const {
  const PairPath path{pair.kind, four_points(surface_, pair, way.before),
                      four_points(surface_, pair, way.end)};
  return pair.distance - (1 + way.room) * path.relative_motion() <= reach_ + way.margin;
}

// Boxes of points where they were, of what may come near.
void BroadPhase::bound_departures(int body, const Way& way) {
  const IndexRange points = surface_.points_of_body(body);
  const AffineMotion motion(points, way.before, way.end);
  const double stretch = std::max(kLeastStretch, motion.least_stretch() / (1 + way.room));
  for (const int p : points) {
    const Vec3 place = way.before.col(p);
    const double departure = (1 + way.room) * motion.departure(place, way.end.col(p)) + way.margin;
    BoundingBox& box = own_.point[p];
    box.low = box.high = place;
    box.grow((departure + reach_) / stretch);
  }
  own_.fit(surface_, body);
}

void BroadPhase::search_clusters(int body, const SelfDoubts& doubts, const Way& way,
                                 std::vector<CandidatePair>& found) {
  // Beyond, a tree is faster.
  constexpr std::size_t kMostPairs = 4;
  const SelfClearance& known = clearance(body);
  const auto keep = [&](const CandidatePair& pair) { return comes_near(pair, way); };
  const bool is_everywhere = doubts.clusters.size() > kMostPairs * known.cluster_count();
  if (is_everywhere) trees_.prepare(body, way.before, own_.point);
  bound_departures(body, way);
  PairCollector collector(surface_, trees_, rules_, own_, way.before);
  if (is_everywhere) {
    const FittedTree fitted = trees_.fitted(body, own_.point);
    collect_overlaps(fitted, fitted, collector, keep, found);
    return;
  }
  for (const auto& [one, other] : doubts.clusters)
    for (const int s : known.triangles(one))
      for (const int t : known.triangles(other))
        if ((one != other || s < t) && own_.triangle[s].overlaps(own_.triangle[t]))
          collector.collect(s, t, keep);
  found.insert(found.end(), collector.found.begin(), collector.found.end());
}

// What of a body may come near itself, in ascending order.
std::vector<CandidatePair> BroadPhase::search_self(int body, const Way& way) {
  clearance(body).begin(way.before);
  SelfDoubts doubts = clearance(body).find_doubts(way.end);
  std::vector<CandidatePair> found;
  for (CandidatePair& pair : doubts.pairs) {
    if (is_fixed(pair)) continue;
    pair.distance = separation(pair.kind, four_points(surface_, pair, way.before)).norm();
    if (comes_near(pair, way)) found.push_back(pair);
  }
  if (!doubts.clusters.empty()) search_clusters(body, doubts, way, found);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end(),
                          [](const auto& a, const auto& b) { return !(a < b) && !(b < a); }),
              found.end());
  return found;
}

std::vector<CandidatePair> BroadPhase::search(const Points& before, const Points& guess,
                                              const std::vector<char>& left_out) {
  std::vector<CandidatePair> found;
  std::vector<FittedTree> fitted(body_.size());
  for (const std::array<int, 2>& pair : near_bodies(before, guess)) {
    for (const int body : pair)
      if (fitted[body].tree == nullptr) {
        trees_.prepare(body, before, own_.point);
        fitted[body] = trees_.fitted(body, way_.point);
      }
    search_between(fitted[pair[0]], fitted[pair[1]], before, found);
  }
  for (int body = 0; body < surface_.body_count(); ++body) {
    std::vector<CandidatePair>& own = body_[body].own;
    own.clear();
    if (!is_searched(body) || (!left_out.empty() && left_out[body])) continue;
    own = search_self(body, {before, guess, kShareOfMotion, body_[body].margin});
    found.insert(found.end(), own.begin(), own.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool BroadPhase::covers_ways(int body, const Points& x, const Vec3& shift) const {
  const BodySearch& own = body_[body];
  for (const int p : surface_.points_of_body(body))
    if (!(own.has_ways ? way_.point[p] : own.around).contains(x.col(p) - shift)) return false;
  return true;
}

bool BroadPhase::covers(const Points& before, const Points& x) {
  const bool has_others = surface_.body_count() > 1;
  const Vec3 shift = has_others ? common_motion(before, x) : Vec3::Zero();
  for (int body = 0; body < surface_.body_count(); ++body) {
    if (has_others && !covers_ways(body, x, shift)) return false;
    if (!is_searched(body)) continue;
    const std::vector<CandidatePair>&known = body_[body].own,
          near = search_self(body, {before, x, 0, 0});
    if (!std::includes(known.begin(), known.end(), near.begin(), near.end())) return false;
  }
  return true;
}

}  // namespace dashpot
