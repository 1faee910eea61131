#include "solver/advice/ritz.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace dashpot {

Fields joined(const std::vector<const Fields*>& parts) {
  Eigen::Index columns = 0, rows = 0;
  for (const Fields* part : parts) {
    columns += part->u.cols();
    rows = std::max(rows, part->u.rows());
  }
  Fields all{Eigen::MatrixXd(rows, columns), Eigen::MatrixXd(rows, columns)};
  Eigen::Index at = 0;
  for (const Fields* part : parts) {
    if (part->u.cols() == 0) continue;
    all.u.middleCols(at, part->u.cols()) = part->u;
    all.ku.middleCols(at, part->u.cols()) = part->ku;
    at += part->u.cols();
  }
  return all;
}

RitzModes slowest_combinations(const Fields& fields, const Eigen::VectorXd& mass,
                               Eigen::Index wanted) {
  constexpr double kDependent = 1e-10;
  using Solver = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>;
  RitzModes modes;
  const Eigen::Index all = fields.u.cols();
  if (all == 0) return modes;
  Eigen::MatrixXd gram = fields.u.transpose() * (mass.asDiagonal() * fields.u);
  // Fields come in any scale.
  Eigen::VectorXd scale = gram.diagonal();
  for (double& s : scale) s = s > 0 ? 1 / std::sqrt(s) : 0;
  gram = (scale.asDiagonal() * gram * scale.asDiagonal()).eval();
  const Solver inertia(gram);
  const double least = kDependent * static_cast<double>(all);
  Eigen::Index kept = 0;
  while (kept < all && inertia.eigenvalues()[all - 1 - kept] >= least) ++kept;
  if (kept == 0) return modes;
  const Eigen::VectorXd norms = inertia.eigenvalues().tail(kept).cwiseSqrt();
  const Eigen::MatrixXd basis = scale.asDiagonal() * inertia.eigenvectors().rightCols(kept) *
                                norms.cwiseInverse().asDiagonal();
  const Eigen::MatrixXd energy = basis.transpose() * (fields.u.transpose() * fields.ku) * basis;
  const Solver solved(0.5 * (energy + energy.transpose()));
  const Eigen::Index count = std::min(wanted, kept);
  modes.combination = basis * solved.eigenvectors().leftCols(count);
  modes.squared_frequency = solved.eigenvalues().head(count);
  return modes;
}

}  // namespace dashpot
