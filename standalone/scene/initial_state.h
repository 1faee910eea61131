#pragma once

#include <cstdint>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// How a body is put into the world and into its first frame. `free` lists the points that are not
// pinned; the others are never moved.

// Scale, rotate (degrees; about x, then y, then z), then translate (m).
struct Placement {
  Vec3 scale = Vec3::Ones();
  Vec3 rotate = Vec3::Zero();
  Vec3 translate = Vec3::Zero();

  bool is_identity() const;
  void apply(Points& points) const;
  // The rotation alone, for vectors that came with the geometry.
  Mat3 rotation() const;
};

// Mean of the listed points.
Vec3 centroid(const Points& points, const std::vector<int>& listed);
Vec3 center_of_mass(const Points& points, const std::vector<double>& masses);

// x -> center + map (x - center)
void deform(Points& points, const std::vector<int>& free, const Vec3& center, const Mat3& map);

// Turns the points about the axis through `center`, from no turn where the body begins along the
// axis to `degrees` where it ends, in proportion (Overby et al. 2017 Fig. 10).
void twist(Points& points, const std::vector<int>& free, const Vec3& center, const Vec3& axis,
           double degrees);

// Puts the points at the middle of the body's bounding box (Overby et al. 2017 Fig. 2, top).
void collapse(Points& points, const std::vector<int>& free);

// Puts the points anywhere in a box `size` times the body's bounding box, with equal probability
// (Overby et al. 2017 Fig. 2, bottom). The same seed gives the same points on every machine.
void randomize(Points& points, const std::vector<int>& free, double size, std::uint64_t seed);

// velocity + angular_velocity x (p - center) + gradient (p - center), m/s; pinned points get zero.
Points initial_velocity(const Points& points, const std::vector<int>& free, const Vec3& center,
                        const Vec3& velocity, const Vec3& angular_velocity, const Mat3& gradient);

}  // namespace dashpot
