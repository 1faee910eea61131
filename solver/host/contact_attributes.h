#pragma once

#include "solver/host/body_points.h"
#include "solver/host/geometry_view.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// The attribute of primitives or points that has names, separated by spaces or commas, of what a
// piece does not collide with; and the group whose members no body feels.
constexpr const char* kNoContact = "nocontact";

// What the attributes of a geometry say about the contact of a body whose mesh and contact are
// known: its pieces, whom they do not collide with, and the points that take no part. What tets
// connect is one piece, and so is all that has the same `name` (of primitives, else of points).
// Coefficients are attributes of the detail, for all, and of primitives: a piece has those of its
// first tet. Throws InputError.
void read_contact_attributes(const GeometryView& geometry, const BodyPoints& points, Body& body);

}  // namespace dashpot
