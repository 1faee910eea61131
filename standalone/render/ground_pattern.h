#pragma once

#include <Eigen/Core>

#include "standalone/render/picture.h"

namespace dashpot {

// The spacing of grid lines, metres, for a scene of the given size: 1, 2 or 5 times a power of ten,
// so that a few cells lie under it.
double grid_spacing(double scene_size);

// A subtle grid in a plane, aligned with the world's axes. Works in the renderer's unit
// coordinates q = scale (p - centre).
class GroundPattern {
 public:
  GroundPattern(const Ground& plane, const Vec3& centre, double scale, double spacing);

  const Eigen::Vector3f& normal() const { return normal_; }

  // Distance along the ray to the plane's front side, or a negative number.
  float intersect(const Eigen::Vector3f& origin, const Eigen::Vector3f& direction) const;

  // Reflectance, averaged over the footprint of a ray that is `width` wide where it arrives.
  Eigen::Array3f albedo(const Eigen::Vector3f& position, const Eigen::Vector3f& direction,
                        float width) const;

 private:
  Eigen::Vector3f normal_;
  float offset_;              // normal . q on the plane
  Eigen::Vector3f along_[2];  // q . along + phase counts cells
  float phase_[2];
};

}  // namespace dashpot
