#include "solver/collision/closest_points.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace dashpot {
namespace {

ClosestOnTriangle on_corner(int k) {
  return {Vec3::Unit(k), TrianglePart::kCorner, k};
}

// The edge opposite to corner k, at `share` of the way from corner k + 1 to corner k + 2.
ClosestOnTriangle on_edge(int k, double share) {
  Vec3 weight = Vec3::Zero();
  weight[(k + 1) % 3] = 1 - share;
  weight[(k + 2) % 3] = share;
  return {weight, TrianglePart::kEdge, k};
}

ClosestOnTriangle closest_on_border(const Vec3& p, const std::array<Vec3, 3>& corner) {
  ClosestOnTriangle best = on_corner(0);
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const Vec3 &a = corner[(k + 1) % 3], &b = corner[(k + 2) % 3];
    const double share = closest_on_edge(p, a, b);
    const double distance = (p - a - share * (b - a)).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    if (share <= 0)
      best = on_corner((k + 1) % 3);
    else if (share >= 1)
      best = on_corner((k + 2) % 3);
    else
      best = on_edge(k, share);
  }
  return best;
}

}  // namespace

ClosestOnTriangle closest_on_triangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const double d1 = ab.dot(ap), d2 = ac.dot(ap);
  if (d1 <= 0 && d2 <= 0) return on_corner(0);
  const double d3 = ab.dot(bp), d4 = ac.dot(bp);
  if (d3 >= 0 && d4 <= d3) return on_corner(1);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0 && d1 > d3) return on_edge(2, d1 / (d1 - d3));
  const double d5 = ab.dot(cp), d6 = ac.dot(cp);
  if (d6 >= 0 && d5 <= d6) return on_corner(2);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0 && d2 > d6) return on_edge(1, d6 / (d6 - d2));
  const double va = d3 * d6 - d5 * d4, to_b = d5 - d6, to_c = d4 - d3;
  if (va <= 0 && to_b >= 0 && to_c >= 0 && to_b + to_c > 0) return on_edge(0, to_c / (to_b + to_c));
  const double sum = va + vb + vc;
  if (!(va > 0 && vb > 0 && vc > 0)) return closest_on_border(p, {a, b, c});
  return {Vec3(va, vb, vc) / sum, TrianglePart::kFace, 0};
}

double closest_on_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 along = b - a;
  const double length_squared = along.squaredNorm();
  return length_squared > 0 ? std::clamp((p - a).dot(along) / length_squared, 0.0, 1.0) : 0;
}

ClosestOnEdges closest_on_edges(const std::array<Vec3, 4>& p) {
  constexpr double kParallel = 1e-10;  // below, the equation for the first share has no digits left
  const Vec3 u = p[1] - p[0], v = p[3] - p[2], r = p[0] - p[2];
  const double uu = u.squaredNorm(), vv = v.squaredNorm();
  if (!(uu > 0)) return {0, closest_on_edge(p[0], p[2], p[3]), 0};
  if (!(vv > 0)) return {closest_on_edge(p[2], p[0], p[1]), 0, 0};
  const double uv = u.dot(v), ur = u.dot(r), vr = v.dot(r);
  const double sine_squared = u.cross(v).squaredNorm() / (uu * vv);
  double first;
  if (sine_squared < kParallel) {
    const double end0 = -ur / uu, end1 = (uv - ur) / uu;  // of the second edge, on the first
    first = 0.5 * (std::max(std::min(end0, end1), 0.0) + std::min(std::max(end0, end1), 1.0));
  } else {
    first = (uv * vr - ur * vv) / (uu * vv * sine_squared);
  }
  first = std::clamp(first, 0.0, 1.0);
  const double second = std::clamp((uv * first + vr) / vv, 0.0, 1.0);
  first = std::clamp((uv * second - ur) / uu, 0.0, 1.0);
  return {first, second, sine_squared};
}

}  // namespace dashpot
