#pragma once

#include <memory>
#include <utility>

#include "solver/contact/collider.h"

namespace dashpot {

// A collider whose shape the host replaces between frames. Never during a step.
class CurrentShape final : public ColliderShape {
 public:
  explicit CurrentShape(std::shared_ptr<const ColliderShape> shape) : shape_(std::move(shape)) {}

  void set(std::shared_ptr<const ColliderShape> shape) { shape_ = std::move(shape); }

  void distance_lower_bound(double begin, double end, const Vec3* points, std::size_t count,
                            double* distance) const override {
    shape_->distance_lower_bound(begin, end, points, count, distance);
  }
  void touch(double begin, double end, const ContactPath* paths, std::size_t count,
             ContactPlaneQuery* touches) const override {
    shape_->touch(begin, end, paths, count, touches);
  }
  double resolution() const override { return shape_->resolution(); }
  void fingerprint(Hash& hash) const override { shape_->fingerprint(hash); }

 private:
  std::shared_ptr<const ColliderShape> shape_;
};

}  // namespace dashpot
