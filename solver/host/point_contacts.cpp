#include "solver/host/point_contacts.h"

#include <algorithm>

namespace dashpot {

PointContacts point_contacts(const ContactReport& report, const BodyPoints& points, int first) {
  PointContacts contacts;
  contacts.force = Points::Zero(3, points.point_count);
  contacts.slip.assign(static_cast<std::size_t>(points.point_count), PointContacts::kNone);
  const int end = first + static_cast<int>(points.mesh_points.size());
  for (const ContactMark& mark : report.marks)
    for (std::size_t k = 0; k < mark.points.size(); ++k) {
      if (mark.points[k] < first || mark.points[k] >= end || mark.weights[k] == 0) continue;
      const int point = points.mesh_points[mark.points[k] - first];
      contacts.force.col(point) += mark.weights[k] * mark.force;
      contacts.slip[point] = std::max<int>(
          contacts.slip[point], mark.slips ? PointContacts::kSlips : PointContacts::kSticks);
    }
  return contacts;
}

Vec3 contact_colour(PointContacts::Slip slip) {
  if (slip == PointContacts::kSticks) return {0, 0.168, 0.445};  // #0072B2
  if (slip == PointContacts::kSlips) return {0.791, 0.347, 0};   // #E69F00
  return Vec3::Constant(0.7);
}

}  // namespace dashpot
