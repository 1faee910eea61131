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

// The eye (position across, depth along the view) of the tightest fit in one image direction.
// A point p is inside the frame when |(p - e).axis| <= slope (p - e).forward, so each side of the
// frame bounds a linear function of e by the furthest corner.
struct AxisFit {
  double across, depth;
};

AxisFit fit_axis(const std::vector<Vec3>& corners, const Vec3& axis, const Vec3& forward,
                 double slope) {
  double high = -std::numeric_limits<double>::infinity(), low = high;
  for (const Vec3& p : corners) {
    high = std::max(high, p.dot(axis) - slope * p.dot(forward));
    low = std::max(low, -p.dot(axis) - slope * p.dot(forward));
  }
  return {(high - low) / 2, -(high + low) / (2 * slope)};
}

}  // namespace

Camera fit_camera(const std::vector<Eigen::AlignedBox3d>& bounds, double aspect,
                  const Vec3& view_direction) {
  if (!(aspect > 0)) throw InputError("The camera's aspect must be positive: set width / height.");
  if (!(view_direction.norm() > 0))
    throw InputError("The camera's view direction is zero: set the direction to look along.");

  Camera camera;
  const Vec3 forward = view_direction.normalized();
  if (forward.cross(camera.up).norm() < 1e-6) camera.up = -Vec3::UnitZ();
  const Vec3 right = forward.cross(camera.up).normalized();
  const Vec3 up = right.cross(forward);

  const std::vector<Vec3> corners = corners_of(bounds);
  const double slope = std::tan(camera.fov_degrees * EIGEN_PI / 360) * (1 - 2 * kFitMargin);
  const AxisFit horizontal = fit_axis(corners, right, forward, slope * aspect);
  const AxisFit vertical = fit_axis(corners, up, forward, slope);
  const double depth = std::min(horizontal.depth, vertical.depth);
  camera.eye = horizontal.across * right + vertical.across * up + depth * forward;

  Vec3 middle = Vec3::Zero();
  for (const Vec3& p : corners) middle += p / static_cast<double>(corners.size());
  camera.target = camera.eye + (middle - camera.eye).dot(forward) * forward;
  return camera;
}

}  // namespace dashpot
