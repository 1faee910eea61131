#include "standalone/runs/run_contacts.h"

#include <algorithm>

#include "solver/host/point_contacts.h"
#include "standalone/runs/shading.h"

namespace dashpot {
namespace {

const Attribute* point_numbers(const Geometry& frame, const char* name, int size) {
  const Attribute* found = find_attribute(frame, ElementClass::kPoint, name);
  const bool fits =
      found && found->kind == AttributeKind::kNumeric && found->data.tuple_size() == size;
  return fits ? found : nullptr;
}

}  // namespace

bool has_contacts(const Geometry& frame) {
  return point_numbers(frame, kContactForce, 3) && point_numbers(frame, kContactSlip, 1);
}

ContactPoints contact_points(const Geometry& frame) {
  if (!has_contacts(frame)) return {};
  const NumericData& slip = point_numbers(frame, kContactSlip, 1)->data;
  ContactPoints contacts;
  std::vector<int> touched;
  for (int p = 0; p < static_cast<int>(frame.point_count); ++p) {
    const double mark = slip.number(static_cast<std::size_t>(p));
    if (mark < PointContacts::kSticks) continue;
    touched.push_back(p);
    contacts.slips.push_back(mark >= PointContacts::kSlips);
  }
  const Points forces = point_vectors(*point_numbers(frame, kContactForce, 3));
  contacts.places = positions(frame)(Eigen::all, touched);
  contacts.forces = forces(Eigen::all, touched);
  return contacts;
}

double top_force(const ContactPoints& contacts) {
  std::vector<float> forces;
  for (Eigen::Index p = 0; p < contacts.forces.cols(); ++p)
    forces.push_back(static_cast<float>(contacts.forces.col(p).norm()));
  return frame_top(std::move(forces));
}

Points force_arrows(const ContactPoints& contacts, double top) {
  Points arrows = Points::Zero(3, contacts.forces.cols());
  for (Eigen::Index p = 0; p < arrows.cols(); ++p) {
    const double force = contacts.forces.col(p).norm();
    if (force > 0 && top > 0) arrows.col(p) = contacts.forces.col(p) / std::max(force, top);
  }
  return arrows;
}

}  // namespace dashpot
