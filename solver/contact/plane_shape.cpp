#include "solver/contact/plane_shape.h"

namespace dashpot {

void PlaneShape::distance_lower_bound(double /*begin*/, double /*end*/, const Vec3* points,
                                      std::size_t count, double* distance) const {
  for (std::size_t i = 0; i < count; ++i) distance[i] = normal_.dot(points[i] - point_);
}

void PlaneShape::touch(double /*begin*/, double /*end*/, const ContactPath* paths,
                       std::size_t count, ContactPlaneQuery* touches) const {
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& end = paths[i].to;
    touches[i].near = true;
    touches[i].point = end - normal_.dot(end - point_) * normal_;
    touches[i].normal = normal_;
    touches[i].velocity.setZero();
  }
}

void PlaneShape::fingerprint(Hash& hash) const {
  hash.add(point_.data(), 3 * sizeof(double));
  hash.add(normal_.data(), 3 * sizeof(double));
}

}  // namespace dashpot
