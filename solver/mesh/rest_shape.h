#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {

// What a tet's rest state contributes: F = [x1-x0, x2-x0, x3-x0] * inverse_rest_shape.
struct RestShape {
  std::vector<Mat3> inverse_rest_shape;
  std::vector<double> volume;  // m^3
};

RestShape make_rest_shape(const TetMesh& mesh);

Mat3 deformation_gradient(const Points& x, const Tet& tet, const Mat3& inverse_rest_shape);

// One quarter of each tet's density * volume goes to each of its corners (kg). Points that no tet
// references get zero. `density` has one entry per tet (kg/m^3).
std::vector<double> lumped_mass(const TetMesh& mesh, const RestShape& shape,
                                const std::vector<double>& density);

}  // namespace dashpot
