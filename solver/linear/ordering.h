#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace dashpot {

// An elimination order that keeps the Cholesky factor of the matrix sparse: order[k] is the row
// to eliminate at position k. `lower` holds at least the lower triangle's pattern. The same pattern
// always gets the same order.
std::vector<int> fill_reducing_order(const Eigen::SparseMatrix<double>& lower);

}  // namespace dashpot
