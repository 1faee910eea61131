#pragma once

#include "solver/contact/collider.h"

namespace dashpot {

// Everything behind a plane is inside.
class PlaneShape final : public ColliderShape {
 public:
  // The normal, which points outwards, need not have unit length.
  PlaneShape(const Vec3& point, const Vec3& normal) : point_(point), normal_(normal.normalized()) {}

  const Vec3& point() const { return point_; }
  const Vec3& normal() const { return normal_; }

  void distance_lower_bound(double begin, double end, const Vec3* points, std::size_t count,
                            double* distance) const override;
  void touch(double begin, double end, const ContactPath* paths, std::size_t count,
             ContactPlaneQuery* touches) const override;
  double resolution() const override { return 0; }
  void fingerprint(Hash& hash) const override;

 private:
  Vec3 point_, normal_;
};

}  // namespace dashpot
