#include "solver/linear/sparse_cholesky.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/linear/supernodal_factor.h"

namespace dashpot {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

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
  numeric_.reset();
  symbolic_ = std::make_shared<const SymbolicFactor>(analyze_pattern(lower));
  solve_ = SupernodalSolve(*symbolic_);
}

bool SparseCholesky::has_pattern(const SparseMatrix& lower) const {
  if (!lower.isCompressed()) return has_pattern(compressed(lower));
  const std::vector<int>&outer = symbolic_->outer, &inner = symbolic_->inner;
  return lower.rows() == lower.cols() &&
         outer.size() == static_cast<std::size_t>(lower.outerSize()) + 1 &&
         inner.size() == static_cast<std::size_t>(lower.nonZeros()) &&
         std::equal(outer.begin(), outer.end(), lower.outerIndexPtr()) &&
         std::equal(inner.begin(), inner.end(), lower.innerIndexPtr());
}

bool SparseCholesky::is_factor_of(const SparseMatrix& lower, FactorPrecision precision) const {
  if (!lower.isCompressed()) return is_factor_of(compressed(lower), precision);
  if (!numeric_ || numeric_->tiles.precision() != precision) return false;
  const std::vector<double>& values = numeric_->values;
  if (values.size() != static_cast<std::size_t>(lower.nonZeros())) return false;
  // Values first: it is they that differ, mostly at once. Bits, because a zero has two signs.
  const bool same_values = values.empty() || std::memcmp(values.data(), lower.valuePtr(),
                                                         values.size() * sizeof(double)) == 0;
  return same_values && has_pattern(lower);
}

void SparseCholesky::factorize(const SparseMatrix& lower, FactorPrecision precision) {
  if (!lower.isCompressed()) return factorize(compressed(lower), precision);
  if (!has_pattern(lower))
    throw std::invalid_argument(
        "SparseCholesky::factorize needs a matrix with the pattern given to analyze.");
  numeric_.reset();  // before there is memory for two
  Numeric made{FactorTiles(*symbolic_, precision),
               {lower.valuePtr(), lower.valuePtr() + lower.nonZeros()}};
  const int bad = factorize_supernodes(*symbolic_, lower.valuePtr(), made.tiles);
  if (bad != -1)
    throw NotPositiveDefinite("The matrix is not positive definite: the pivot of row " +
                              std::to_string(symbolic_->order[bad]) +
                              " is zero or negative to working precision.");
  numeric_ = std::make_shared<const Numeric>(std::move(made));
}

void SparseCholesky::solve(double* b) const {
  assert(numeric_ && "SparseCholesky::solve before a successful factorize");
  solve_.run(*symbolic_, numeric_->tiles, b);
}

std::size_t SparseCholesky::bytes() const {
  return (numeric_ ? numeric_->tiles.bytes() : 0) + solve_.bytes();
}

}  // namespace dashpot
