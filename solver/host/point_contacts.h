#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_report.h"
#include "solver/host/body_points.h"

namespace dashpot {

// What hosts write as point attributes: contactforce and contactslip.
struct PointContacts {
  Points force;           // sum of what presses on each point, N
  std::vector<int> slip;  // kNone, kSticks, or kSlips if one of its contacts does

  enum Slip { kNone = 0, kSticks = 1, kSlips = 2 };
};

// How messages, --attribs and the toggle of nodes call both together.
constexpr const char* kContactsToken = "contacts";
constexpr const char* kContactForce = "contactforce";
constexpr const char* kContactSlip = "contactslip";
// And the toggle of nodes that colours points, too.
constexpr const char* kContactColorToken = "contactcolor";

// Linear light: blue sticks, orange slips, which colour-blind eyes tell apart and which are dark
// and light in greyscale; pale grey touches nothing.
Vec3 contact_colour(PointContacts::Slip slip);

// Of all points of a geometry, whose mesh begins at the point `first` of the state.
PointContacts point_contacts(const ContactReport& report, const BodyPoints& points, int first);

}  // namespace dashpot
