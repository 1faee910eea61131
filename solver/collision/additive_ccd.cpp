#include "solver/collision/additive_ccd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/collision/closest_points.h"

namespace dashpot {
namespace {

int first_side_count(Primitives kind) {
  return kind == Primitives::kVertexTriangle ? 1 : 2;
}

// How long the plane across `gap` keeps the primitives `limit` apart. Each point moves evenly, so
// the extent of every pair of points along the plane's normal is linear in time; motion along the
// plane, which a bound by speed counts, costs nothing here.
double time_of_separating_plane(const PairPath& path, const FourPoints& now, const Vec3& normal,
                                double limit) {
  const int split = first_side_count(path.kind);
  std::array<double, 4> height, rate;
  for (int i = 0; i < 4; ++i) {
    height[i] = normal.dot(now[i]);
    rate[i] = normal.dot(path.end[i] - path.begin[i]);
  }
  double time = std::numeric_limits<double>::infinity();
  for (int i = 0; i < split; ++i)
    for (int j = split; j < 4; ++j) {
      const double closing = rate[j] - rate[i];
      if (closing > 0) time = std::min(time, (height[i] - height[j] - limit) / closing);
    }
  return time;
}

}  // namespace

Vec3 separation(Primitives kind, const FourPoints& p) {
  if (kind == Primitives::kVertexTriangle) {
    const Vec3 weight = closest_on_triangle(p[0], p[1], p[2], p[3]).weight;
    // From the differences: exact near contact, however far from the origin.
    return weight[0] * (p[0] - p[1]) + weight[1] * (p[0] - p[2]) + weight[2] * (p[0] - p[3]);
  }
  const ClosestOnEdges on = closest_on_edges(p);
  return p[0] - p[2] + on.first * (p[1] - p[0]) - on.second * (p[3] - p[2]);
}

FourPoints PairPath::at(double time) const {
  FourPoints p;
  for (int i = 0; i < 4; ++i) p[i] = begin[i] + time * (end[i] - begin[i]);
  return p;
}

double PairPath::relative_motion() const {
  FourPoints motion;
  Vec3 mean = Vec3::Zero();
  for (int i = 0; i < 4; ++i) {
    motion[i] = end[i] - begin[i];
    mean += 0.25 * motion[i];
  }
  double side[2] = {0, 0};
  for (int i = 0; i < 4; ++i) {
    double& most = side[i < first_side_count(kind) ? 0 : 1];
    most = std::max(most, (motion[i] - mean).squaredNorm());
  }
  return std::sqrt(side[0]) + std::sqrt(side[1]);
}

double time_of_contact(const PairPath& path, double limit) {
  constexpr double kNearEnough = 1.05;
  constexpr int kMostSteps = 200;
  const double speed = path.relative_motion();
  double time = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const FourPoints now = path.at(time);
    const Vec3 gap = separation(path.kind, now);
    const double distance = gap.norm();
    if (distance <= kNearEnough * limit) return time;
    if (distance - limit >= (1 - time) * speed) return kNever;
    const double plane = time_of_separating_plane(path, now, gap / distance, limit);
    time += std::max((distance - limit) / speed, plane);
    if (time >= 1) return kNever;
  }
  return time;
}

}  // namespace dashpot
