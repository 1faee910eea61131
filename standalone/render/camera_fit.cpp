#include "standalone/render/camera_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/error.h"

namespace dashpot {
namespace {

std::vector<Vec3> corners_of(const std::vector<Eigen::AlignedBox3d>& bounds) {
  Eigen::AlignedBox3d all;
  for (const auto& box : bounds) all.extend(box);
  std::vector<Vec3> corners;
  const auto add = [&corners](const Eigen::AlignedBox3d& box) {
    for (int i = 0; i < 8; ++i)
      corners.emplace_back(box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(i)));
  };
  if (all.isEmpty()) {
    add(Eigen::AlignedBox3d(Vec3::Constant(-0.5), Vec3::Constant(0.5)));
  } else if (all.diagonal().norm() <= 1e-9 * all.center().norm()) {
    // A single point has no size to fit: show half a metre around it.
    add(Eigen::AlignedBox3d(all.min() - Vec3::Constant(0.5), all.max() + Vec3::Constant(0.5)));
  } else {
    for (const auto& box : bounds)
      if (!box.isEmpty()) add(box);
  }
  return corners;
}

// The fit in one image direction. A point p is inside the frame when
// -low_slope (p - e).forward <= (p - e).axis <= high_slope (p - e).forward, so each side of the
// frame bounds a linear function of the eye e by the furthest corner.
class AxisFit {
 public:
  AxisFit(const std::vector<Vec3>& corners, const Vec3& axis, const Vec3& forward,
          double high_slope, double low_slope)
      : high_slope_(high_slope), low_slope_(low_slope) {
    for (const Vec3& p : corners) {
      high_ = std::max(high_, p.dot(axis) - high_slope * p.dot(forward));
      low_ = std::max(low_, -p.dot(axis) - low_slope * p.dot(forward));
    }
  }

  // Along the view, of the nearest eye that sees all corners.
  double depth() const { return -(high_ + low_) / (high_slope_ + low_slope_); }
  // Across the view, of an eye at this depth.
  double across(double depth) const {
    return (high_ - low_ + (high_slope_ - low_slope_) * depth) / 2;
  }

 private:
  double high_slope_, low_slope_;
  double high_ = -std::numeric_limits<double>::infinity(), low_ = high_;
};

}  // namespace

Camera fit_camera(const std::vector<Eigen::AlignedBox3d>& bounds, double aspect,
                  const Vec3& view_direction, double top_margin) {
  if (!(aspect > 0)) throw InputError("The camera's aspect must be positive: set width / height.");
  if (!(view_direction.norm() > 0))
    throw InputError("The camera's view direction is zero: set the direction to look along.");

  Camera camera;
  const Vec3 forward = view_direction.normalized();
  if (forward.cross(camera.up).norm() < 1e-6) camera.up = -Vec3::UnitZ();
  const Vec3 right = forward.cross(camera.up).normalized();
  const Vec3 up = right.cross(forward);

  const std::vector<Vec3> corners = corners_of(bounds);
  const double whole = std::tan(camera.fov_degrees * EIGEN_PI / 360);
  const double slope = whole * (1 - 2 * kFitMargin);
  const AxisFit horizontal(corners, right, forward, slope * aspect, slope * aspect);
  const AxisFit vertical(corners, up, forward, whole * (1 - 2 * top_margin), slope);
  const double depth = std::min(horizontal.depth(), vertical.depth());
  camera.eye = horizontal.across(depth) * right + vertical.across(depth) * up + depth * forward;

  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : corners) middle += p / static_cast<double>(corners.size());
  camera.target = camera.eye + (middle - camera.eye).dot(forward) * forward;
  return camera;
}

}  // namespace dashpot
