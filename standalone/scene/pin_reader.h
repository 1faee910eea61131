#pragma once

#include <vector>

#include "solver/simulation/scene.h"
#include "standalone/formats/tet_geometry.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {

// The pins of a body. `positions` are the placed points, before any initial deformation. Throws
// InputError for a selection without points.
std::vector<Pin> read_pins(const TableReader& body, const TetGeometry& geometry,
                           const Points& positions);

}  // namespace dashpot
