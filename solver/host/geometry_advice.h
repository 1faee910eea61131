#pragma once

#include <string>
#include <vector>

#include "solver/host/body_points.h"
#include "solver/host/geometry_view.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {

// What a geometry says without being heard, in sentences that say what to do: attributes of
// parameters on elements that nothing reads them from, vectors with too many numbers, tets that are
// there twice.
std::vector<std::string> geometry_advice(const GeometryView& geometry, const BodyPoints& points,
                                         const TetMesh& mesh);

}  // namespace dashpot
