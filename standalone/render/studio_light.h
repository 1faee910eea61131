#pragma once

#include <Eigen/Core>

#include "standalone/render/picture.h"

namespace dashpot {

// The light of every still: a soft sun over the photographer's left shoulder and a bright dome.
// It turns with the camera, so that any view is lit from the front.
class StudioLight {
 public:
  explicit StudioLight(const Camera& camera);

  // The centre of the sun; `on_sun` picks a direction on its disc for a point of the unit square.
  const Eigen::Vector3f& sun() const { return sun_; }
  Eigen::Vector3f on_sun(const Eigen::Vector2f& u) const;

  // What a white surface that faces the sun returns of it.
  Eigen::Array3f sun_colour() const { return {1.46F, 1.32F, 1.13F}; }

  // Radiance of the dome: what a ray that leaves the scene meets, and the picture's background.
  Eigen::Array3f dome(const Eigen::Vector3f& direction) const;

 private:
  Eigen::Vector3f up_, sun_, across_, along_;  // the latter two span the sun's disc
};

}  // namespace dashpot
