#pragma once

#include "solver/base/types.h"
#include "solver/collision/contact_surface.h"

namespace dashpot {

// The affine motion that is nearest to what a body's points do, by least squares. What is left
// over tells how much the body deforms, however fast it flies and spins.
class AffineMotion {
 public:
  AffineMotion() = default;
  AffineMotion(IndexRange points, const Points& before, const Points& after);

  // How far a point is carried away from where the motion takes it.
  double departure(const Vec3& before, const Vec3& after) const {
    return (after - before - shift_ - gradient_ * (before - centre_)).norm();
  }
  // While its points go straight to where the motion takes them, no distance in the body becomes
  // smaller than this share of itself.
  double least_stretch() const;

 private:
  Vec3 centre_ = Vec3::Zero(), shift_ = Vec3::Zero();
  Mat3 gradient_ = Mat3::Zero();
};

}  // namespace dashpot
