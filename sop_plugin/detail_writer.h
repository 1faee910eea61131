#pragma once

#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/host/point_contacts.h"

class GU_Detail;

namespace dashpot {

// Both write all points of the geometry, give new data ids to what they wrote and to nothing else,
// and so let Houdini keep what it made of the topology.
void write_points(GU_Detail& detail, const Points& positions, const Points& velocities);

// A primitive attribute of one float, zero for primitives that are no tets.
void write_diagnostic(GU_Detail& detail, const std::string& name, const std::vector<double>& values,
                      const std::vector<int>& tet_primitives);

// The point attributes contactforce and contactslip; and Cd, which shows in the viewport what
// sticks and what slips.
void write_contacts(GU_Detail& detail, const PointContacts& contacts);
void write_contact_colours(GU_Detail& detail, const PointContacts& contacts);

}  // namespace dashpot
