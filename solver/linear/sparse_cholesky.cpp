#include "solver/linear/sparse_cholesky.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

#include "solver/linear/supernodal_factor.h"

namespace dashpot {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

bool has_pattern(const SparseMatrix& lower, const SymbolicFactor& factor) {
  return lower.rows() == factor.size && lower.cols() == factor.size &&
         lower.nonZeros() == static_cast<Eigen::Index>(factor.inner.size()) &&
         std::equal(factor.outer.begin(), factor.outer.end(), lower.outerIndexPtr()) &&
         std::equal(factor.inner.begin(), factor.inner.end(), lower.innerIndexPtr());
}

void require_lower(const SparseMatrix& lower) {
  if (lower.rows() != lower.cols())
    throw std::invalid_argument("SparseCholesky needs a square matrix, not " +
                                std::to_string(lower.rows()) + " x " +
                                std::to_string(lower.cols()) + ".");
  for (int column = 0; column < lower.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(lower, column); it; ++it)
      if (it.row() < column)
        throw std::invalid_argument("SparseCholesky needs the lower triangle only, but row " +
                                    std::to_string(it.row()) + " has an entry in column " +
                                    std::to_string(column) + ".");
}

SparseMatrix compressed(SparseMatrix matrix) {
  matrix.makeCompressed();
  return matrix;
}

}  // namespace

void SparseCholesky::analyze(const SparseMatrix& lower) {
  if (!lower.isCompressed()) return analyze(compressed(lower));
  require_lower(lower);
  factorized_ = false;
  symbolic_ = analyze_pattern(lower);
  tiles_ = {};
  solve_ = SupernodalSolve(symbolic_);
}

void SparseCholesky::factorize(const SparseMatrix& lower, FactorPrecision precision) {
  if (!lower.isCompressed()) return factorize(compressed(lower), precision);
  if (!has_pattern(lower, symbolic_))
    throw std::invalid_argument(
        "SparseCholesky::factorize needs a matrix with the pattern given to analyze.");
  factorized_ = false;
  if (tiles_.bytes() == 0 || tiles_.precision() != precision)
    tiles_ = FactorTiles(symbolic_, precision);
  const int bad = factorize_supernodes(symbolic_, lower.valuePtr(), tiles_);
  if (bad != -1)
    throw std::runtime_error("The matrix is not positive definite: the pivot of row " +
                             std::to_string(symbolic_.order[bad]) +
                             " is zero or negative to working precision.");
  factorized_ = true;
}

void SparseCholesky::solve(double* b) const {
  assert(factorized_ && "SparseCholesky::solve before a successful factorize");
  solve_.run(symbolic_, tiles_, b);
}

std::size_t SparseCholesky::bytes() const {
  return tiles_.bytes() + solve_.bytes();
}

}  // namespace dashpot
