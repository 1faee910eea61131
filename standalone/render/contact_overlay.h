#pragma once

#include <vector>

#include "standalone/render/picture.h"

namespace dashpot {

// A point that touches something, and the arrow for the force on it, m.
struct ContactArrow {
  Vec3 place = Vec3::Zero();
  Vec3 arrow = Vec3::Zero();
  bool slips = false;  // else it sticks
};

// Linear light.
Eigen::Vector3f slip_colour(bool slips);

// The length that the longest arrow should have where the camera looks, m.
double longest_arrow(const Camera& camera);

// Dots and arrows over a finished image, also of what bodies hide.
void draw_contacts(Image& image, const Camera& camera, std::vector<ContactArrow> contacts);

// What they mean, lower right; `longest` is the force of the longest arrow, N.
void draw_contact_key(Image& image, double longest);

}  // namespace dashpot
