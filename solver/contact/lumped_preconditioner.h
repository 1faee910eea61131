#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "solver/contact/contact_operator.h"
#include "solver/linear/sparse_cholesky.h"

namespace dashpot {

// An approximate inverse of eps q + W on the rows that press: W as if all but the touched vertices
// stood still, or rather gave way with them to a fixed share. With A_ss the rows and columns of A
// of the touched vertices, its diagonal made less by that, and K = 1 / (eps q),
//   K - K D (A_ss + D^T K D)^-1 D^T K,
// which is scalar, sparse, and indifferent to rows that say the same.
class LumpedPreconditioner {
 public:
  // touched: A_ss, lower triangle. pressing: by row. Keeps the factor that it has as long as that
  // is nearly right.
  void prepare(const std::vector<SlotRow>& rows, const Eigen::SparseMatrix<double>& touched,
               const std::vector<double>& compliance, double proximal,
               const std::vector<char>& pressing);

  void multiply(const Points& r, Points& z) const;

  // Of V V^T besides W: a V' of the same kind, with what of it matters.
  Eigen::MatrixXd missed(const Eigen::MatrixXd& v) const;

  void forget() { compliance_.clear(); }  // the factor

  int factorizations() const { return factorizations_; }  // so far

 private:
  bool is_of(const std::vector<SlotRow>& rows, const Eigen::SparseMatrix<double>& touched) const;
  bool is_near(const std::vector<double>& compliance, double proximal,
               const std::vector<char>& pressing) const;
  void analyze(const std::vector<SlotRow>& rows, const Eigen::SparseMatrix<double>& touched);
  void soften();
  void locate_pairs();
  void factorize();

  std::vector<SlotRow> rows_;
  Eigen::SparseMatrix<double> touched_;
  Eigen::SparseMatrix<double> pattern_;  // of A_ss + D^T D, all rows; holds the softened A_ss
  Eigen::VectorXd softened_;             // its diagonal, by so much
  std::vector<int> pair_begin_, pair_;   // of each row: places in pattern_ of its pairs of slots
  std::vector<int> place_;               // of each slot in the order of the factor
  SparseCholesky cholesky_;
  int factorizations_ = 0;

  // Of the factor.
  double proximal_ = 0;
  std::vector<double> compliance_;
  std::vector<double> stiffness_;  // K, 0 for rows that are not in it
  mutable std::vector<double> lanes_;
};

}  // namespace dashpot
