#pragma once

#include <vector>

#include "solver/simulation/scene.h"
#include "standalone/scene/body_source.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {

// The pins of a body: of its keys `pin` and `pintoanimation`, then of the geometry's attribute
// `pintoanimation`. `positions` are the placed points of the mesh, before any initial deformation.
// Throws InputError for a selection without points.
std::vector<Pin> read_pins(const TableReader& body, const BodySource& source,
                           const Points& positions);

}  // namespace dashpot
