#include "solver/collision/self_clearance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr double kNowhere = std::numeric_limits<double>::infinity();
constexpr std::ptrdiff_t kPatchesPerChunk = 32;

// Of a symmetric matrix, by the trigonometric formula.
double largest_eigenvalue(const Mat3& m) {
  const double mean = m.trace() / 3;
  const Mat3 rest = m - mean * Mat3::Identity();
  const double size = std::sqrt(rest.squaredNorm() / 6);
  if (!(size > 0)) return mean;
  const double cosine = rest.determinant() / (2 * size * size * size);
  return mean + 2 * size * std::cos(std::acos(std::clamp(cosine, -1.0, 1.0)) / 3);
}

double least_eigenvalue(const Mat3& m) {
  return -largest_eigenvalue(-m);
}

Vec3 vector_of(Lane a) {
  return {a[0], a[1], a[2]};
}

bool is_same(const std::vector<Lane>& a, const std::vector<Lane>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Lane)) == 0;
}

}  // namespace

SelfClearance::SelfClearance(const ContactSurface& surface, int body, RestPatches patches,
                             double limit)
    : points_(surface.points_of_body(body)),
      patches_(std::move(patches)),
      limit_(limit),
      nearest_(patches_.range) {
  for (const CandidatePair& pair : patches_.pairs) nearest_ = std::min(nearest_, pair.distance);
}

// The begin of a stage is mostly where the last one ended.
std::size_t SelfClearance::pose_at(const Points& x) {
  scratch_.resize(static_cast<std::size_t>(points_.size()));
  const Vec3 origin = x.col(points_[0]);  // keeps the digits of what is far away
  for (int i = 0; i < points_.size(); ++i) {
    const double* p = x.data() + 3 * static_cast<std::ptrdiff_t>(points_[i]);
    scratch_[i] = Lane{p[0] - origin[0], p[1] - origin[1], p[2] - origin[2], 0};
  }
  for (std::size_t i = 0; i < poses_.size(); ++i)
    if (is_same(poses_[i].x, scratch_)) return i;
  if (next_ == begin_) next_ = (next_ + 1) % poses_.size();
  const std::size_t at = next_;
  next_ = (next_ + 1) % poses_.size();
  Pose& pose = poses_[at];
  pose.x.swap(scratch_);
  pose.whole = fit(patches_.whole, pose.x);
  pose.fits.clear();
  return at;
}

void SelfClearance::begin(const Points& before) {
  begin_ = pose_at(before);
}

// All that takes longer than a look at the whole.
void SelfClearance::refine(Pose& pose) const {
  const std::size_t count = patches_.patches.size();
  if (pose.fits.size() == count) return;
  pose.fits.resize(count);
  pose.boxes.resize(count);
  parallel_each(static_cast<std::ptrdiff_t>(count), kPatchesPerChunk, [&](std::ptrdiff_t c) {
    pose.fits[c] = fit(patches_.patches[c], pose.x);
    Box box{broadcast<Lane>(kNowhere), broadcast<Lane>(-kNowhere)};
    for (const int p : patches_.points[static_cast<int>(c)]) {
      box.low = lane_min(box.low, pose.x[p]);
      box.high = lane_max(box.high, pose.x[p]);
    }
    pose.boxes[c] = box;
  });
}

SelfClearance::Fit SelfClearance::fit(const RestPatch& patch, const std::vector<Lane>& x) const {
  Fit result;
  if (!patch.is_fit) {
    result.departure = kNowhere;
    return result;
  }
  Lane sum{}, moment[3] = {};
  const double* arm = patch.arm.data();
  for (const int i : patch.point) {
    sum += x[i];
    for (int k = 0; k < 3; ++k) moment[k] = lane_fma(x[i], arm[k], moment[k]);
    arm += 3;
  }
  Mat3 moments;
  for (int k = 0; k < 3; ++k) moments.col(k) = vector_of(moment[k]);
  result.map = moments * patch.inverse_spread;
  if (patch.is_flat) {
    const Vec3 across = patch.normal.cross(patch.along);
    const Vec3 normal = (result.map * patch.along).cross(result.map * across).stableNormalized();
    result.map += normal * patch.normal.transpose();
  }
  Lane map[3];
  for (int k = 0; k < 3; ++k)
    map[k] = Lane{-result.map(0, k), -result.map(1, k), -result.map(2, k), 0};
  const Lane centre = sum * broadcast<Lane>(1.0 / static_cast<double>(patch.point.size()));
  double most = 0;
  arm = patch.arm.data();
  for (const int i : patch.point) {
    Lane departure = x[i] - centre;
    for (int k = 0; k < 3; ++k) departure = lane_fma(map[k], arm[k], departure);
    departure *= departure;
    most = std::max(most, departure[0] + departure[1] + departure[2]);
    arm += 3;
  }
  result.departure = std::sqrt(most);
  result.least = least_eigenvalue(result.map.transpose() * result.map);
  return result;
}

// What was farther apart at rest stays farther apart than the limit. With A = (1 - t) B + t E,
// A'A = (1 - t) B'B + t E'E - t (1 - t) (E - B)'(E - B).
double SelfClearance::safe_distance(const Fit& begin, const Fit& end) const {
  constexpr double kRounding = 1e-6;
  const Mat3 change = end.map - begin.map;
  const double turn = change.squaredNorm() < 1e-3 ? change.squaredNorm()
                                                  : largest_eigenvalue(change.transpose() * change);
  const double squared = std::min(begin.least, end.least) - turn / 4 - kRounding;
  if (!(squared > 0)) return kNowhere;
  return (limit_ + 2 * std::max(begin.departure, end.departure)) / std::sqrt(squared);
}

void SelfClearance::doubt_patches(const Pose& begin, const Pose& end, SelfDoubts& doubts) const {
  std::vector<double> safe(begin.fits.size());
  for (std::size_t c = 0; c < safe.size(); ++c) safe[c] = safe_distance(begin.fits[c], end.fits[c]);
  for (int c = 0; c < cluster_count(); ++c) {
    for (int k = patches_.first_pair[c];
         k < patches_.first_pair[c + 1] && patches_.pairs[k].distance <= safe[c]; ++k)
      if (safe[c] <= patches_.range) doubts.pairs.push_back(patches_.pairs[k]);
    if (safe[c] <= patches_.range) continue;
    doubts.clusters.push_back({c, c});
    for (const int n : patches_.neighbours[c])
      if (c < n || safe[n] <= patches_.range)
        doubts.clusters.push_back({std::min(c, n), std::max(c, n)});
  }
}

// Across the mean way between their middles. Heights over a plane change evenly: what is above at
// both ends is so all the time.
bool SelfClearance::is_plane_between(int cluster, int other, const Pose& begin,
                                     const Pose& end) const {
  Lane between{};
  for (const Pose* pose : {&begin, &end}) {
    const Box &a = pose->boxes[cluster], &b = pose->boxes[other];
    between += a.low + a.high - b.low - b.high;
  }
  const Vec3 normal = vector_of(between).stableNormalized();
  for (const Pose* pose : {&begin, &end}) {
    double low = kNowhere, high = -kNowhere;
    for (const int p : patches_.points[cluster])
      low = std::min(low, normal.dot(vector_of(pose->x[p])));
    for (const int p : patches_.points[other])
      high = std::max(high, normal.dot(vector_of(pose->x[p])));
    if (!(low - high > limit_)) return false;
  }
  return true;
}

void SelfClearance::doubt_clusters(const Pose& begin, const Pose& end, SelfDoubts& doubts) const {
  std::vector<BoundingBox> boxes(begin.boxes.size());
  for (std::size_t c = 0; c < boxes.size(); ++c) {
    const Box &first = begin.boxes[c], &last = end.boxes[c];
    boxes[c].low = vector_of(lane_min(first.low, last.low));
    boxes[c].high = vector_of(lane_max(first.high, last.high));
    boxes[c].grow(limit_ / 2);
  }
  visit_overlapping_boxes(boxes, [&](int one, int other) {
    const IndexRange near = patches_.neighbours[one];
    if (!std::binary_search(near.begin(), near.end(), other) &&
        !is_plane_between(one, other, begin, end))
      doubts.clusters.push_back({one, other});
  });
}

SelfDoubts SelfClearance::find_doubts(const Points& x) {
  Pose &end = poses_[pose_at(x)], &begin = poses_[begin_];
  SelfDoubts doubts;
  if (safe_distance(begin.whole, end.whole) < nearest_) return doubts;
  refine(begin);
  refine(end);
  doubt_patches(begin, end, doubts);
  doubt_clusters(begin, end, doubts);
  std::sort(doubts.clusters.begin(), doubts.clusters.end());
  return doubts;
}

}  // namespace dashpot
