#include "standalone/render/studio_light.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "standalone/render/sampling.h"

namespace dashpot {
namespace {

// Radians; sixteen times the real sun's, for penumbras that read as soft at a small size.
constexpr float kSunRadius = 0.075F;

}  // namespace

StudioLight::StudioLight(const Camera& camera) {
  const Vec3 up = camera.up.normalized();
  const Vec3 forward = (camera.target - camera.eye).normalized();
  Vec3 right = forward.cross(up);
  if (right.norm() < 1e-6) right = up.unitOrthogonal();
  right.normalize();
  const Vec3 level = up.cross(right);
  up_ = up.cast<float>();
  sun_ = (0.72 * up - 0.62 * right - 0.10 * level).normalized().cast<float>();
  complete_frame(sun_, across_, along_);
  across_ *= kSunRadius;
  along_ *= kSunRadius;
}

Eigen::Vector3f StudioLight::on_sun(const Eigen::Vector2f& u) const {
  const Eigen::Vector2f d = unit_disc(u);
  return (sun_ + d.x() * across_ + d.y() * along_).normalized();
}

Eigen::Array3f StudioLight::dome(const Eigen::Vector3f& direction) const {
  const Eigen::Array3f horizon(0.98F, 1.00F, 1.03F), zenith(0.40F, 0.50F, 0.66F);
  const Eigen::Array3f nadir(0.34F, 0.36F, 0.40F);
  const float height = std::clamp(up_.dot(direction), -1.0F, 1.0F);
  const float away = height > 0 ? std::sqrt(height) : 1 - (1 + height) * (1 + height);
  return horizon + away * ((height > 0 ? zenith : nadir) - horizon);
}

}  // namespace dashpot
