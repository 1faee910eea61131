#pragma once

#include <vector>

#include "solver/elements/tet_terms.h"
#include "solver/linear/global_matrix.h"

namespace dashpot {

// Gradients of a tet's barycentric coordinates, one row per corner, 1/m: D of the tet, for each
// coordinate alike.
Eigen::Matrix<double, 4, 3> corner_gradients(const Mat3& inverse_rest_shape);

// The sum over tets of factor * D^T D as entries of a matrix, in point numbers, below the diagonal;
// and the values of these entries alone.
GlobalMatrix::Triplets stiffness_entries(const TetTerms& terms, const std::vector<double>& factor);
std::vector<double> stiffness_values(const TetTerms& terms, const std::vector<double>& factor);

}  // namespace dashpot
