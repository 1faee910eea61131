#include "solver/advice/mode_search.h"

#include <cmath>
#include <limits>

#include "solver/advice/trial_fields.h"
#include "solver/linear/sparse_cholesky.h"

namespace dashpot {
namespace {

constexpr double kTwoPi = 6.283185307179586;
constexpr Eigen::Index kModes = 4;  // at once: square sections have pairs of modes

// The same with a few thousand of its tets, each in the place of its neighbours: enough for smooth
// fields.
LinearPiece thinned(const LinearPiece& piece) {
  constexpr std::size_t kEnough = 4000;
  const std::size_t stride = 1 + piece.elements.size() / kEnough;
  LinearPiece rough = piece;
  rough.elements.clear();
  for (std::size_t e = 0; e < piece.elements.size(); e += stride) {
    rough.elements.push_back(piece.elements[e]);
    rough.elements.back().volume *= static_cast<double>(stride);
  }
  return rough;
}

double frequency_from(double squared) {
  return std::sqrt(std::max(0.0, squared)) / kTwoPi;
}

}  // namespace

// Solves with sum mu V G^T G + shift M, the same for each axis: near enough to the stiffness of
// elasticity to improve displacements with.
class ModeSearch::Preconditioner {
 public:
  Preconditioner(const LinearPiece& piece, double shift) {
    std::vector<int> row(static_cast<std::size_t>(piece.point_count()), -1);
    for (int p = 0; p < piece.point_count(); ++p) {
      if (piece.pinned[p]) continue;
      row[p] = static_cast<int>(points_.size());
      points_.push_back(p);
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (const LinearPiece::Element& element : piece.elements)
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b) {
          const int i = row[element.points[a]], j = row[element.points[b]];
          if (i < 0 || j < 0 || i < j) continue;
          const double coupling = element.gradients.row(a).dot(element.gradients.row(b));
          entries.emplace_back(i, j, element.mu * element.volume * coupling);
        }
    const int free = static_cast<int>(points_.size());
    for (int i = 0; i < free; ++i) entries.emplace_back(i, i, shift * piece.mass[3L * points_[i]]);
    Eigen::SparseMatrix<double> matrix(free, free);
    matrix.setFromTriplets(entries.begin(), entries.end());
    cholesky_.analyze(matrix);
    cholesky_.factorize(matrix);
    scratch_.resize(4 * points_.size());
  }

  void apply(Eigen::Ref<Eigen::VectorXd> column) {
    const std::vector<int>& order = cholesky_.permutation();
    for (std::size_t k = 0; k < order.size(); ++k)
      for (int axis = 0; axis < 3; ++axis)
        scratch_[4 * k + axis] = column[3L * points_[order[k]] + axis];
    cholesky_.solve(scratch_.data());
    for (std::size_t k = 0; k < order.size(); ++k)
      for (int axis = 0; axis < 3; ++axis)
        column[3L * points_[order[k]] + axis] = scratch_[4 * k + axis];
  }

 private:
  std::vector<int> points_;  // of the rows
  SparseCholesky cholesky_;
  std::vector<double> scratch_;
};

ModeSearch::ModeSearch(const LinearPiece& piece, Eigen::MatrixXd rigid,
                       const Eigen::MatrixXd& hints)
    : piece_(piece), rigid_(std::move(rigid)) {
  const Eigen::MatrixXd smooth = trial_fields(piece);
  Eigen::MatrixXd all(smooth.rows(), smooth.cols() + hints.cols());
  all << smooth, hints;
  const Fields fields = make_fields(thinned(piece), std::move(all));
  const RitzModes modes = slowest_combinations(fields, piece.mass, fields.u.cols());
  if (modes.combination.cols() == 0) return;
  trial_ = fields.u * modes.combination;
  trial_squared_ = modes.squared_frequency;
  improve(make_fields(piece_, trial_.leftCols(std::min(kModes, trial_.cols()))));
  change_ = {};
}

Fields ModeSearch::make_fields(const LinearPiece& stiff, Eigen::MatrixXd u) const {
  for (int p = 0; p < piece_.point_count(); ++p)
    if (piece_.pinned[p]) u.middleRows<3>(3L * p).setZero();
  u -= rigid_ * (rigid_.transpose() * (piece_.mass.asDiagonal() * u)).eval();
  Eigen::MatrixXd ku = apply_stiffness(stiff, u);
  return {std::move(u), std::move(ku)};
}

ModeSearch::Preconditioner& ModeSearch::preconditioner() {
  // Free pieces have no stiffness against motions as a whole; inertia of the slowest mode is small
  // beside that against all others.
  if (!preconditioner_)
    preconditioner_ = std::make_shared<Preconditioner>(piece_, 0.1 * squared_[0]);
  return *preconditioner_;
}

double ModeSearch::slowest_frequency() const {
  return frequency_from(squared_[0]);
}

// Locally optimal block preconditioned conjugate gradients (Knyazev 2001).
bool ModeSearch::refine_slowest(double enough) {
  constexpr int kMostRounds = 40;
  constexpr double kSettled = 2e-3;  // change of w^2 in a round
  for (int round = 0, still = 0; round < kMostRounds && slowest_frequency() > enough; ++round) {
    Eigen::MatrixXd residual =
        modes_.ku - (piece_.mass.asDiagonal() * modes_.u) * squared_.asDiagonal();
    for (Eigen::Index c = 0; c < residual.cols(); ++c) preconditioner().apply(residual.col(c));
    const double before = squared_[0];
    improve(make_fields(piece_, std::move(residual)));
    still = before - squared_[0] < kSettled * squared_[0] ? still + 1 : 0;
    if (still == 2) return true;
  }
  return false;
}

// The best of the modes so far, of what may improve them, and of what improved them last.
void ModeSearch::improve(const Fields& additions) {
  const Fields all = joined({&modes_, &additions, &change_});
  const RitzModes ritz = slowest_combinations(all, piece_.mass, kModes);
  Eigen::MatrixXd changes = ritz.combination;
  changes.topRows(modes_.u.cols()).setZero();
  change_ = all * changes;
  modes_ = all * ritz.combination;
  squared_ = ritz.squared_frequency;
}

Eigen::VectorXd ModeSearch::trial_response(const Eigen::VectorXd& e) const {
  const Eigen::VectorXd share = trial_.transpose() * (piece_.mass.asDiagonal() * e);
  return trial_ * share.cwiseQuotient(trial_squared_);
}

Eigen::VectorXd ModeSearch::response(const Eigen::VectorXd& e) {
  constexpr int kMostRounds = 60;
  constexpr double kSolved = 1e-2;
  // Preconditioned conjugate gradients.
  Fields x = make_fields(piece_, trial_response(e));
  Eigen::VectorXd residual = piece_.mass.asDiagonal() * e;
  residual -= x.ku.col(0);
  Eigen::VectorXd direction;
  double first = 0, last = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    Eigen::VectorXd step = residual;
    preconditioner().apply(step);
    const double slope = residual.dot(step);
    if (round == 0) first = slope;
    if (!(slope > kSolved * kSolved * first)) break;
    if (round > 0) step += slope / last * direction;
    last = slope;
    const Fields along = make_fields(piece_, step);
    direction = along.u.col(0);
    const double way = residual.dot(direction) / direction.dot(along.ku.col(0));
    x.u.col(0) += way * direction;
    residual -= way * along.ku.col(0);
  }
  return x.u.col(0);
}

double ModeSearch::frequency_of(const Eigen::VectorXd& displacement) const {
  const Eigen::VectorXd force = apply_stiffness(piece_, displacement).col(0);
  return frequency_from(displacement.dot(force) /
                        displacement.dot(piece_.mass.asDiagonal() * displacement));
}

}  // namespace dashpot
