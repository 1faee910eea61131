#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <vector>

#include "solver/linear/factor_tiles.h"
#include "solver/linear/supernodal_solve.h"
#include "solver/linear/symbolic_factor.h"

namespace dashpot {

// A matrix has a pivot that is zero or negative to working precision.
class NotPositiveDefinite : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Prefactored Cholesky of a sparse symmetric positive definite n x n matrix, solved for three
// right-hand sides at once. The global matrix of the ADMM step is (n x n) (x) I3, so one scalar
// factor serves x, y and z.
//
//   SparseCholesky cholesky;
//   cholesky.analyze(lower);     // once per sparsity pattern
//   cholesky.factorize(lower);   // once per set of values
//   cholesky.solve(b);           // many times
//
// The ordering, the factor and the solution are bitwise the same for any number of TBB threads.
// A copy shares the analysis and the factor, which never change, and has scratch of its own: copies
// may solve at the same time, and cost little memory.
class SparseCholesky {
 public:
  // Chooses a fill-reducing order and lays out the factor. `lower` holds the lower triangle with
  // the diagonal; an entry above the diagonal throws std::invalid_argument.
  void analyze(const Eigen::SparseMatrix<double>& lower);

  // Whether the analysis is the one that `lower` needs. Compares all of the pattern.
  bool has_pattern(const Eigen::SparseMatrix<double>& lower) const;

  // `lower` must have the analysed pattern (else std::invalid_argument). May be called again with
  // new values. Throws NotPositiveDefinite naming the row, in the original numbering, at which
  // the matrix turned out not to be positive definite.
  //
  // A factor of single precision is computed in double precision and then rounded: solve() is then
  // exact for a matrix that differs by some 1e-7, and as cheap as its bytes are few. Use it to
  // correct an approximate solution, x += A^-1 (b - A x).
  void factorize(const Eigen::SparseMatrix<double>& lower,
                 FactorPrecision precision = FactorPrecision::kDouble);

  // Whether factorize() would make the factor that is there: same pattern, same bits of every
  // value.
  bool is_factor_of(const Eigen::SparseMatrix<double>& lower, FactorPrecision precision) const;

  // permutation()[k] is the original row that stands at position k of the factor.
  const std::vector<int>& permutation() const { return symbolic_->order; }

  // Replaces b by the solution. b has four doubles per row (x, y, z, unused) in the order of the
  // factor, 4 n in all; solve may overwrite the unused ones. Works in scratch of this object: no
  // allocation, and not reentrant.
  void solve(double* b) const;

  int size() const { return symbolic_->size; }
  // Entries of the factor, including the explicit zeros that make columns share a pattern.
  std::size_t nonzeros() const { return symbolic_->nonzeros(); }
  // Memory that a solve reads once forward and once backward.
  std::size_t bytes() const;

 private:
  struct Numeric {
    FactorTiles tiles;
    std::vector<double> values;  // of the matrix
  };

  std::shared_ptr<const SymbolicFactor> symbolic_ = std::make_shared<const SymbolicFactor>();
  std::shared_ptr<const Numeric> numeric_;  // nullptr: not factorized
  SupernodalSolve solve_;
};

}  // namespace dashpot
