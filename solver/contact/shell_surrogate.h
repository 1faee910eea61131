#pragma once

#include <cstddef>
#include <vector>

#include "solver/contact/contact_operator.h"
#include "solver/contact/smooth_block.h"
#include "solver/linear/global_matrix.h"

namespace dashpot {

// The vertices s and two rings of their neighbours, ascending. pattern: of A, lower triangle.
std::vector<int> shell_around(const Eigen::SparseMatrix<double>& pattern,
                              const std::vector<int>& positions);

// What stands for (A^-1)_ss where it would be too large: with A_shell the part of A at the shell,
//   (A^-1)_ss ~ (A_shell^-1)_ss + V V^T,
// V V^T being the Nystrom approximation of the rest, which is smooth: V = Y C^-1/2, Y = rest Omega,
// C = Omega^T Y. Omega is a function of vertices' positions, so that the same set always has the
// same surrogate.
class ShellFactor {
 public:
  // positions: ascending. Of the selected matrix.
  ShellFactor(const GlobalMatrix& system, std::vector<int> positions,
              const std::vector<int>& shell);

  // With A, to make one: the wider the set, the more there is to the smooth rest.
  static int solves(std::size_t positions);

  const std::vector<int>& positions() const { return positions_; }
  const SparseCholesky& cholesky() const { return cholesky_; }
  int shell_size() const { return cholesky_.size(); }
  int place(int i) const { return place_[i]; }  // of positions()[i] in the order of the factor
  const Eigen::MatrixXd& smooth() const { return smooth_; }  // V

 private:
  void factor_shell(const GlobalMatrix& system, const std::vector<int>& shell);
  void sample_rest(const GlobalMatrix& system);

  std::vector<int> positions_, place_;
  SparseCholesky cholesky_;
  Eigen::MatrixXd smooth_;
};

class ShellSurrogate final : public InverseBlock {
 public:
  // index: of each slot among the shell's positions.
  ShellSurrogate(const ShellFactor& shell, const std::vector<int>& index);
  void multiply(const Points& f, int first, int count, Points& u) const override;

 private:
  SparseCholesky cholesky_;  // shares the factor, with scratch of its own
  std::vector<int> place_;   // of each slot in the order of the factor
  SmoothBlock smooth_;
  mutable std::vector<double> lanes_;
};

}  // namespace dashpot
