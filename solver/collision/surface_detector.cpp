#include "solver/collision/surface_detector.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

#include "solver/base/parallel.h"
#include "solver/collision/closest_points.h"
#include "solver/collision/surface_normals.h"
#include "solver/collision/tangles.h"

namespace dashpot {
namespace {

constexpr double kReach = 2;          // of the gap, around every box
constexpr double kNear = 1.5;         // of the gap: has a stencil
constexpr double kCoincident = 1e-6;  // of the gap
constexpr std::ptrdiff_t kPairsPerChunk = 256;

bool is_earlier(const PairStencil& a, const PairStencil& b) {
  return a.id == b.id ? a.time < b.time : a.id < b.id;
}

// The closest places are inside of both primitives, not on a border.
bool faces_inner(Primitives kind, const FourPoints& p) {
  if (kind == Primitives::kVertexTriangle)
    return closest_on_triangle(p[0], p[1], p[2], p[3]).part == TrianglePart::kFace;
  const ClosestOnEdges on = closest_on_edges(p);
  const auto inner = [](double share) { return share > 0 && share < 1; };
  return inner(on.first) && inner(on.second);
}

// Points of bodies that turn do not move straight: what is apart in the end, on the side where it
// was and came near, has not passed through anything, unless it moved far.
bool only_grazes(const PairPath& way, double time, double limit) {
  constexpr double kSameSide = 0.5, kFar = 0.1;  // of an edge
  if (way.relative_motion() > kFar * (way.begin[3] - way.begin[2]).norm()) return false;
  const Vec3 before = separation(way.kind, way.begin), after = separation(way.kind, way.end),
             nearest = separation(way.kind, way.at(time));
  return after.norm() >= limit && nearest.dot(after) > kSameSide * nearest.norm() * after.norm() &&
         nearest.dot(before) > kSameSide * nearest.norm() * before.norm();
}

}  // namespace

SurfaceDetector::SurfaceDetector(const ContactSurface& surface, PairRules rules, double gap,
                                 const Points& rest)
    : surface_(surface),
      rules_(std::move(rules)),
      gap_(gap),
      broad_phase_(surface, rules_, kReach * gap, rest) {}

void SurfaceDetector::begin(const Points& before, const Points& guess,
                            const std::vector<char>& left_out) {
  before_ = before;
  kept_.clear();
  candidates_ = broad_phase_.search(before, guess, left_out);
}

void SurfaceDetector::leave_out(const Tangles& tangles) {
  candidates_.erase(
      std::remove_if(candidates_.begin(), candidates_.end(),
                     [&](const CandidatePair& pair) { return tangles.ignores(pair); }),
      candidates_.end());
}

// Two edges that their faces' vertices answer for.
bool SurfaceDetector::is_flat_pair(const CandidatePair& pair) const {
  return pair.kind == Primitives::kEdgeEdge && is_flat(surface_, before_, pair.first) &&
         is_flat(surface_, before_, pair.second);
}

std::vector<std::array<int, 2>> SurfaceDetector::candidates() const {
  std::vector<std::array<int, 2>> points;
  points.reserve(candidates_.size());
  for (const CandidatePair& pair : candidates_)
    points.push_back(
        pair.kind == Primitives::kVertexTriangle
            ? std::array{pair.first, surface_.triangles()[pair.second][0]}
            : std::array{surface_.edges()[pair.first][0], surface_.edges()[pair.second][0]});
  return points;
}

PairPath SurfaceDetector::path(const CandidatePair& pair, const Points& x) const {
  return {pair.kind, four_points(surface_, pair, before_), four_points(surface_, pair, x)};
}

double SurfaceDetector::time_to_find(const CandidatePair& pair, const Points& x) const {
  const PairPath way = path(pair, x);
  const double nearest = pair.distance - way.relative_motion();
  if (nearest >= kNear * gap_) return kNever;
  const double time = nearest >= gap_ / 2 ? kNever : time_of_contact(way, gap_ / 2);
  if (time <= 1 && !only_grazes(way, time, gap_ / 2)) return time;
  return separation(pair.kind, way.end).norm() < kNear * gap_ ? 1 : kNever;
}

// Primitives that touch at the begin have no distance to keep: only where they end counts.
bool SurfaceDetector::passes_touching(const CandidatePair& pair, const Points& x,
                                      double limit) const {
  const FourPoints end = four_points(surface_, pair, x);
  if (separation(pair.kind, end).norm() < limit) return true;
  if (!faces_inner(pair.kind, end)) return false;
  std::vector<PairStencil> touching;
  add_stencils(pair, x, 0, FeatureFilter::kNone, touching);
  return std::any_of(touching.begin(), touching.end(), [&](const PairStencil& stencil) {
    Vec3 gap = Vec3::Zero();
    for (int k = 1; k < stencil.count; ++k)
      gap += stencil.weight[k] * (x.col(stencil.point[k]) - x.col(stencil.point[0]));
    return stencil.normal.dot(gap) < 0;
  });
}

double SurfaceDetector::time_to_miss(const CandidatePair& pair, const Points& x,
                                     double limit) const {
  if (pair.distance < kCoincident * gap_) return passes_touching(pair, x, limit) ? 0 : kNever;
  const PairPath way = path(pair, x);
  const double least = std::min(limit, pair.distance / 2);
  if (pair.distance - way.relative_motion() >= least) return kNever;
  return time_of_contact(way, least);
}

void SurfaceDetector::add_stencils(const CandidatePair& pair, const Points& x, double time,
                                   FeatureFilter filter, std::vector<PairStencil>& out) const {
  const MovingPoints at{before_, x, time};
  const FeatureChoice choice{filter, kCoincident * gap_, kept_};
  if (pair.kind == Primitives::kVertexTriangle)
    add_vertex_triangle(surface_, at, pair.first, pair.second, choice, out);
  else
    add_edge_edge(surface_, at, pair.first, pair.second, choice, out);
}

// when(number of the candidate): the moment of its stencils.
template <class When>
std::vector<PairStencil> SurfaceDetector::stencils(const Points& x, const Subset* of,
                                                   const When& when) const {
  std::vector<std::vector<PairStencil>> parts(
      static_cast<std::size_t>(chunk_count(count(of), kPairsPerChunk)));
  parallel_chunks(count(of), kPairsPerChunk, [&](ChunkRange range, std::ptrdiff_t chunk) {
    for (auto k = range.begin; k < range.end; ++k) {
      const std::ptrdiff_t i = of ? (*of)[k] : k;
      const Moment at = when(i);
      if (at.time <= 1) add_stencils(candidates_[i], x, at.time, at.filter, parts[chunk]);
    }
  });
  std::vector<PairStencil> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::stable_sort(all.begin(), all.end(), is_earlier);
  all.erase(std::unique(all.begin(), all.end(),
                        [](const auto& a, const auto& b) { return a.id == b.id; }),
            all.end());
  return all;
}

std::vector<PairStencil> SurfaceDetector::find(const Points& x, const Subset* of,
                                               bool thorough) const {
  return stencils(x, of, [&](std::ptrdiff_t i) {
    const CandidatePair& pair = candidates_[i];
    const double time = time_to_find(pair, x);
    if (time > 1) return Moment{kNever, FeatureFilter::kAll};
    if (thorough && pair.kind == Primitives::kEdgeEdge && pair.distance >= kCoincident * gap_ &&
        time_to_miss(pair, x, gap_ / 2) <= 1)
      return Moment{time, FeatureFilter::kRoughlyOfEdges};
    if (!is_flat_pair(pair)) return Moment{time, FeatureFilter::kAll};
    return Moment{kept_.empty() ? kNever : time, FeatureFilter::kOnlyKept};
  });
}

std::vector<PairStencil> SurfaceDetector::find_missed(const Points& x, const Subset* of) const {
  return stencils(x, of, [&](std::ptrdiff_t i) {
    return Moment{time_to_miss(candidates_[i], x, gap_ / 5), FeatureFilter::kNone};
  });
}

// The least value(number of a candidate), or `none` if that is less.
template <class Value>
double SurfaceDetector::least(const Subset* of, double none, const Value& value) const {
  std::vector<double> least(static_cast<std::size_t>(chunk_count(count(of), kPairsPerChunk)), none);
  parallel_chunks(count(of), kPairsPerChunk, [&](ChunkRange range, std::ptrdiff_t chunk) {
    for (auto k = range.begin; k < range.end; ++k)
      least[chunk] = std::min(least[chunk], value(of ? (*of)[k] : k));
  });
  return least.empty() ? none : *std::min_element(least.begin(), least.end());
}

double SurfaceDetector::free_share(const Points& x, const Subset* of) const {
  return least(of, 1,
               [&](std::ptrdiff_t i) { return time_to_miss(candidates_[i], x, gap_ / 100); });
}

}  // namespace dashpot
