#include "standalone/render/shading_normals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace dashpot {
namespace {

struct Corner {
  int triangle, slot;
};

// The corners at each point, as offsets into one array.
struct CornersAtPoint {
  std::vector<int> first;
  std::vector<Corner> corners;
};

CornersAtPoint gather_corners(int point_count, const std::vector<Triangle>& triangles) {
  CornersAtPoint at;
  at.first.assign(static_cast<std::size_t>(point_count) + 1, 0);
  for (const Triangle& t : triangles)
    for (int p : t) ++at.first[static_cast<std::size_t>(p) + 1];
  std::partial_sum(at.first.begin(), at.first.end(), at.first.begin());
  at.corners.resize(3 * triangles.size());
  std::vector<int> next(at.first.begin(), at.first.end() - 1);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      at.corners[static_cast<std::size_t>(next[static_cast<std::size_t>(triangles[t][k])]++)] = {
          static_cast<int>(t), static_cast<int>(k)};
  return at;
}

bool share_an_edge(const Triangle& a, const Triangle& b) {
  const auto in_b = [&b](int p) { return std::find(b.begin(), b.end(), p) != b.end(); };
  return std::count_if(a.begin(), a.end(), in_b) >= 2;
}

}  // namespace

ShadingNormals shading_normals(const Points& points, const std::vector<Triangle>& triangles) {
  std::vector<Vec3> area(triangles.size()), unit(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const Vec3 a = points.col(triangles[t][0]);
    area[t] = (points.col(triangles[t][1]) - a).cross(points.col(triangles[t][2]) - a);
    unit[t] = area[t].stableNormalized();
  }

  ShadingNormals result;
  result.corners.resize(triangles.size());
  const double smooth = std::cos(kCreaseDegrees * EIGEN_PI / 180);
  const int point_count = static_cast<int>(points.cols());
  const CornersAtPoint at = gather_corners(point_count, triangles);
  std::vector<Corner> open, fan;
  for (std::size_t p = 0; p < static_cast<std::size_t>(point_count); ++p) {
    open.assign(at.corners.begin() + at.first[p], at.corners.begin() + at.first[p + 1]);
    while (!open.empty()) {
      fan.assign(1, open.back());
      open.pop_back();
      Vec3 sum = Vec3::Zero();
      for (std::size_t i = 0; i < fan.size(); ++i) {
        const auto here = static_cast<std::size_t>(fan[i].triangle);
        sum += area[here];
        const auto joins_fan = [&](const Corner& other) {
          const auto there = static_cast<std::size_t>(other.triangle);
          return unit[here].dot(unit[there]) > smooth &&
                 share_an_edge(triangles[here], triangles[there]);
        };
        const auto joined = std::stable_partition(open.begin(), open.end(),
                                                  [&](const Corner& c) { return !joins_fan(c); });
        fan.insert(fan.end(), joined, open.end());
        open.erase(joined, open.end());
      }
      for (const Corner& c : fan)
        result.corners[static_cast<std::size_t>(c.triangle)][static_cast<std::size_t>(c.slot)] =
            static_cast<int>(result.normals.size());
      result.normals.emplace_back(sum.stableNormalized().cast<float>());
    }
  }
  return result;
}

}  // namespace dashpot
