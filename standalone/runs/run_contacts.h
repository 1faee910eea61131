#pragma once

#include <vector>

#include "solver/base/types.h"
#include "standalone/geometry/geometry.h"

namespace dashpot {

// The points of a frame that touch something, as `dashpot simulate --attribs contacts` marks them.
struct ContactPoints {
  Points places;            // m
  Points forces;            // N
  std::vector<bool> slips;  // else the point sticks
};

bool has_contacts(const Geometry& frame);
// None, if the frame does not say.
ContactPoints contact_points(const Geometry& frame);

// Nearly the largest force of a frame: a few points do not count.
double top_force(const ContactPoints& contacts);

// Arrows for the forces, in parts of the longest one. It stands for `top`, and for all above it.
Points force_arrows(const ContactPoints& contacts, double top);

}  // namespace dashpot
