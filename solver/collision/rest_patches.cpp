#include "solver/collision/rest_patches.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace dashpot {
namespace {

// In mean edges: the size of clusters, how near neighbours are, and the pairs that are known.
constexpr double kCluster = 1.0, kNeighbour = 0.05, kRange = 0.75;
// More pairs than this for each point are not worth to be kept.
constexpr double kMostPairs = 40;
// Patches thinner than this, to the square, bend rather than shear.
constexpr double kFlat = 0.04;
// What is as thin as a line says nothing of an affine map.
constexpr double kThin = 1e-3;

// Numbers of points and triangles are those among the body's.
class PatchMaker {
 public:
  // edge: the body's mean edge, m.
  PatchMaker(const ContactSurface& surface, int body, const Points& rest, double edge)
      : surface_(surface),
        points_(surface.points_of_body(body)),
        rest_(rest),
        near_(kNeighbour * edge) {
    const IndexRange triangles = surface.triangles_of_body(body);
    const double size = kCluster * edge;
    const Vec3 origin = points_.size() > 0 ? Vec3(rest.col(points_[0])) : Vec3::Zero();
    std::map<std::array<int, 3>, std::vector<int>> cells;
    for (const int t : triangles) {
      const Triangle& corner = surface.triangles()[t];
      const Vec3 centre = (rest.col(corner[0]) + rest.col(corner[1]) + rest.col(corner[2])) / 3;
      const Vec3 at = ((centre - origin) / size).array().floor();
      cells[{static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<int>(at[2])}].push_back(
          t);
    }
    for (auto& [cell, own] : cells) {
      for (const int t : own) {
        cluster_of_[t] = static_cast<int>(clusters_.size());
        triangles_.push_back({cluster_of_[t], t});
      }
      clusters_.push_back(points_of(own));
    }
  }

  RestPatches make(double range, const std::vector<CandidatePair>& pairs) const {
    RestPatches made;
    made.range = range;
    std::vector<int> all(static_cast<std::size_t>(points_.size()));
    for (int i = 0; i < points_.size(); ++i) all[i] = i;
    made.whole = patch_of(all);
    std::vector<std::array<int, 2>> points;
    for (int c = 0; c < cluster_count(); ++c)
      for (const int p : clusters_[c]) points.push_back({c, p});
    made.points = IndexLists(cluster_count(), points);
    made.triangles = IndexLists(cluster_count(), triangles_);
    made.neighbours = find_neighbours();
    for (int c = 0; c < cluster_count(); ++c) {
      std::vector<int> own = clusters_[c];
      for (const int n : made.neighbours[c])
        own.insert(own.end(), clusters_[n].begin(), clusters_[n].end());
      made.patches.push_back(patch_of(own));
    }
    sort_pairs(pairs, made);
    return made;
  }

 private:
  int cluster_count() const { return static_cast<int>(clusters_.size()); }
  int number_of(int point) const {
    return static_cast<int>(std::lower_bound(points_.begin(), points_.end(), point) -
                            points_.begin());
  }
  Vec3 place(int number) const { return rest_.col(points_[number]); }

  std::vector<int> points_of(const std::vector<int>& triangles) const {
    std::vector<int> points;
    for (const int t : triangles)
      for (const int p : surface_.triangles()[t]) points.push_back(number_of(p));
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }

  IndexLists find_neighbours() const {
    std::vector<BoundingBox> boxes(clusters_.size());
    for (int c = 0; c < cluster_count(); ++c) {
      for (const int p : clusters_[c]) boxes[c].include(place(p));
      boxes[c].grow(near_ / 2);
    }
    std::vector<std::array<int, 2>> both;
    for (const std::array<int, 2>& pair : overlapping_boxes(boxes)) {
      both.push_back(pair);
      both.push_back({pair[1], pair[0]});
    }
    std::sort(both.begin(), both.end());
    return IndexLists(cluster_count(), both);
  }

  void sort_pairs(const std::vector<CandidatePair>& pairs, RestPatches& made) const {
    std::vector<std::vector<CandidatePair>> own(clusters_.size());
    for (const CandidatePair& pair : pairs) own[cluster_of(pair)].push_back(pair);
    for (auto& list : own) {
      std::sort(list.begin(), list.end(), [](const CandidatePair& a, const CandidatePair& b) {
        return a.distance != b.distance ? a.distance < b.distance : a < b;
      });
      made.first_pair.push_back(static_cast<int>(made.pairs.size()));
      made.pairs.insert(made.pairs.end(), list.begin(), list.end());
    }
    made.first_pair.push_back(static_cast<int>(made.pairs.size()));
  }

  int cluster_of(const CandidatePair& pair) const {
    const int triangle = pair.kind == Primitives::kVertexTriangle
                             ? pair.second
                             : surface_.triangles_of_edge(pair.first)[0];
    return cluster_of_.at(triangle);
  }

  RestPatch patch_of(std::vector<int> points) const {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    Vec3 centre = Vec3::Zero();
    for (const int p : points) centre += place(p);
    if (!points.empty()) centre /= static_cast<double>(points.size());
    RestPatch patch;
    Mat3 spread = Mat3::Zero();
    for (const int p : points) {
      const Vec3 arm = place(p) - centre;
      spread += arm * arm.transpose();
      patch.arm.insert(patch.arm.end(), arm.data(), arm.data() + 3);
    }
    patch.point = std::move(points);
    invert(spread, patch);
    return patch;
  }

  // A flat patch does not say what becomes of its normal, and a thin one that bends says it badly.
  static void invert(const Mat3& spread, RestPatch& patch) {
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread);
    const Vec3& value = axes.eigenvalues();
    const Mat3& axis = axes.eigenvectors();
    patch.is_fit = value[1] > kThin * value[2];
    patch.is_flat = value[0] < kFlat * value[1];
    if (!patch.is_fit) return;
    for (int k = patch.is_flat ? 1 : 0; k < 3; ++k)
      patch.inverse_spread += axis.col(k) * axis.col(k).transpose() / value[k];
    patch.normal = axis.col(0);
    patch.along = axis.col(1);
  }

  const ContactSurface& surface_;
  IndexRange points_;
  const Points& rest_;
  double near_;                                // m, of neighbours
  std::map<int, int> cluster_of_;              // triangle
  std::vector<std::array<int, 2>> triangles_;  // of clusters
  std::vector<std::vector<int>> clusters_;
};

std::vector<CandidatePair> near_pairs(const ContactSurface& surface, SurfaceTrees& trees, int body,
                                      const Points& rest, double range, FeatureBoxes& scratch) {
  trees.prepare(body, rest, scratch.point);
  for (const int p : surface.points_of_body(body)) scratch.point[p].grow(range / 2);
  scratch.fit(surface, body);
  const FittedTree fitted = trees.fitted(body, scratch.point);
  std::vector<CandidatePair> pairs;
  const PairRules everything;
  collect_overlaps(
      fitted, fitted, PairCollector(surface, trees, everything, scratch, rest),
      [&](const CandidatePair& pair) { return pair.distance <= range; }, pairs);
  return pairs;
}

}  // namespace

RestPatches make_rest_patches(const ContactSurface& surface, SurfaceTrees& trees, int body,
                              const Points& rest, FeatureBoxes& scratch) {
  const double edge = surface.mean_edge(body, rest);
  double range = kRange * edge;
  std::vector<CandidatePair> pairs = near_pairs(surface, trees, body, rest, range, scratch);
  while (static_cast<double>(pairs.size()) > kMostPairs * surface.points_of_body(body).size()) {
    range /= 2;
    pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                               [&](const auto& pair) { return pair.distance > range; }),
                pairs.end());
  }
  return PatchMaker(surface, body, rest, edge).make(range, pairs);
}

}  // namespace dashpot
