#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "solver/base/hash.h"
#include "solver/base/types.h"

namespace dashpot {

// The way of a point during a stage, in a shape's own space.
struct ContactPath {
  Vec3 from, to;
};

// The plane that the end of a path has to stay in front of.
struct ContactPlaneQuery {
  bool near = false;             // false: nothing is near, the rest has no meaning
  Vec3 point = Vec3::Zero();     // on the surface
  Vec3 normal = Vec3::Zero();    // outwards, unit
  Vec3 velocity = Vec3::Zero();  // of the surface there, in the shape's own space, m/s
};

// The surface of an obstacle in a space of its own. Points come in batches, so that a shape can
// keep what it needs to look things up fast for the length of a call; calls may run in parallel.
class ColliderShape {
 public:
  virtual ~ColliderShape() = default;

  // Lower bounds of the distance (m) from `count` points to the surface at any time from `begin` to
  // `end`; 0 or less where a point is inside. Only deforming shapes depend on the time.
  virtual void distance_lower_bound(double begin, double end, const Vec3* points, std::size_t count,
                                    double* distance) const = 0;

  // A path that begins outside and crosses the surface gives the plane where it does, even if it
  // ends outside again; a path that ends inside gives the plane of the nearest surface.
  virtual void touch(double begin, double end, const ContactPath* paths, std::size_t count,
                     ContactPlaneQuery* touches) const = 0;

  // The size of the smallest detail, m; 0 if there is none.
  virtual double resolution() const = 0;

  // Adds all that the shape depends on.
  virtual void fingerprint(Hash& hash) const = 0;
};

// An obstacle. Where it is, is told to each stage.
struct Collider {
  std::string name;
  std::shared_ptr<const ColliderShape> shape;
  double friction = 0, restitution = 0;
};

}  // namespace dashpot
