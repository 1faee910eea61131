#include "standalone/render/ground_pattern.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

constexpr float kLineWidth = 0.018F;  // cells

// How much of [x - width/2, x + width/2] is covered by lines around the whole numbers.
float line_coverage(float x, float width) {
  width = std::max(width, 1e-4F);
  const auto covered_up_to = [](float s) {
    const float cell = std::floor(s);
    return cell * kLineWidth + std::min(s - cell, kLineWidth);
  };
  const float start = x + kLineWidth / 2 - width / 2;
  return (covered_up_to(start + width) - covered_up_to(start)) / width;
}

}  // namespace

double grid_spacing(double scene_size) {
  const double wanted = scene_size / 4;
  const double decade = std::pow(10, std::floor(std::log10(wanted)));
  const double mantissa = wanted / decade;
  return decade * (mantissa < 2 ? 1 : mantissa < 5 ? 2 : 5);
}

GroundPattern::GroundPattern(const Ground& plane, const Vec3& centre, double scale,
                             double spacing) {
  const Vec3 n = plane.normal.normalized();
  const Vec3 axis = std::abs(n.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 u = (axis - axis.dot(n) * n).normalized();
  const Vec3 axes[2] = {u, n.cross(u)};
  normal_ = n.cast<float>();
  offset_ = static_cast<float>(scale * n.dot(plane.point - centre));
  for (int k = 0; k < 2; ++k) {
    along_[k] = (axes[k] / (scale * spacing)).cast<float>();
    phase_[k] = static_cast<float>(std::fmod(axes[k].dot(centre) / spacing, 1.0));
  }
}

float GroundPattern::intersect(const Eigen::Vector3f& origin,
                               const Eigen::Vector3f& direction) const {
  const float height = normal_.dot(origin) - offset_, approach = -normal_.dot(direction);
  return height > 0 && approach > 1e-6F ? height / approach : -1;
}

Eigen::Array3f GroundPattern::albedo(const Eigen::Vector3f& position,
                                     const Eigen::Vector3f& direction, float width) const {
  const Eigen::Array3f floor_colour(0.60F, 0.595F, 0.585F), line_colour(0.44F, 0.445F, 0.455F);
  // A ray's round cross section becomes an ellipse, stretched along the view by 1 / cosine.
  const float cosine = std::max(-normal_.dot(direction), 1e-3F);
  const Eigen::Vector3f stretch = (direction + cosine * normal_) / cosine;
  float open = 1;
  for (int k = 0; k < 2; ++k) {
    const float stretched = along_[k].dot(stretch);
    const float spread = width * std::sqrt(along_[k].squaredNorm() + stretched * stretched);
    open *= 1 - line_coverage(position.dot(along_[k]) + phase_[k], spread);
  }
  return line_colour + open * (floor_colour - line_colour);
}

}  // namespace dashpot
