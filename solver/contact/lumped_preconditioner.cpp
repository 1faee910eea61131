#include "solver/contact/lumped_preconditioner.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstring>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

// A factor is used on while at most these shares of the pressing rows are missing from it, or in it
// but open; and while eps is not off by more than this factor.
constexpr double kMostMissing = 0.02, kMostSurplus = 0.25;
constexpr double kMostRatio = 4;
// How much of what holds touched vertices gives way with them. Measured on slabs of 26 x 26 and
// 70 x 70 vertices: 18 and 30 % fewer products than if it stood still.
constexpr double kGivingWay = 0.9;
// Directions in which bodies are softer by no more than this cost no product.
constexpr double kMissed = 1;
constexpr std::ptrdiff_t kLumpedRowsPerPiece = 512;

bool same_matrix(const Sparse& a, const Sparse& b) {
  const auto same = [](const auto* x, const auto* y, std::size_t count) {
    return count == 0 || std::memcmp(x, y, count * sizeof *x) == 0;
  };
  const std::size_t entries = static_cast<std::size_t>(a.nonZeros());
  return a.rows() == b.rows() && a.nonZeros() == b.nonZeros() &&
         same(a.valuePtr(), b.valuePtr(), entries) &&
         same(a.innerIndexPtr(), b.innerIndexPtr(), entries) &&
         same(a.outerIndexPtr(), b.outerIndexPtr(), static_cast<std::size_t>(a.outerSize()) + 1);
}

}  // namespace

bool LumpedPreconditioner::is_of(const std::vector<SlotRow>& rows, const Sparse& touched) const {
  return rows == rows_ && same_matrix(touched, touched_);
}

bool LumpedPreconditioner::is_near(const std::vector<double>& compliance, double proximal,
                                   const std::vector<char>& pressing) const {
  const double ratio = proximal / proximal_;
  if (ratio > kMostRatio || ratio * kMostRatio < 1 || compliance != compliance_) return false;
  int missing = 0, surplus = 0, count = 0;
  for (std::size_t c = 0; c < pressing.size(); ++c) {
    const bool has = stiffness_[c] > 0, wants = pressing[c] != 0;
    missing += wants && !has;
    surplus += has && !wants;
    count += wants;
  }
  return missing <= kMostMissing * count && surplus <= kMostSurplus * count;
}

void LumpedPreconditioner::prepare(const std::vector<SlotRow>& rows, const Sparse& touched,
                                   const std::vector<double>& compliance, double proximal,
                                   const std::vector<char>& pressing) {
  const bool is_known = is_of(rows, touched);
  if (is_known && is_near(compliance, proximal, pressing)) return;
  if (!is_known) analyze(rows, touched);
  proximal_ = proximal;
  compliance_ = compliance;
  stiffness_.assign(rows.size(), 0.0);
  for (std::size_t c = 0; c < rows.size(); ++c)
    if (pressing[c]) stiffness_[c] = 1 / (proximal * compliance[c]);
  factorize();
}

void LumpedPreconditioner::analyze(const std::vector<SlotRow>& rows, const Sparse& touched) {
  rows_ = rows;
  touched_ = touched;
  touched_.makeCompressed();
  const int slots = static_cast<int>(touched.rows());
  std::vector<Eigen::Triplet<double>> entries;
  for (const SlotRow& row : rows_)
    for (int i = 0; i < row.count; ++i)
      for (int j = 0; j < i; ++j)
        entries.emplace_back(std::max(row.slot[i], row.slot[j]), std::min(row.slot[i], row.slot[j]),
                             0.0);
  for (int column = 0; column < slots; ++column)
    for (Sparse::InnerIterator it(touched_, column); it; ++it)
      entries.emplace_back(it.row(), column, it.value());
  pattern_.resize(slots, slots);
  pattern_.setFromTriplets(entries.begin(), entries.end());
  soften();
  locate_pairs();
  if (!cholesky_.has_pattern(pattern_)) cholesky_.analyze(pattern_);
  place_.resize(static_cast<std::size_t>(slots));
  for (int k = 0; k < slots; ++k) place_[cholesky_.permutation()[k]] = k;
  lanes_.resize(4 * static_cast<std::size_t>(slots));
}

// A vertex is held by its neighbours out of s and its inertia by what its row sums to. Never below
// what makes the row diagonally dominant, if it was so.
void LumpedPreconditioner::soften() {
  const auto matrix = pattern_.selfadjointView<Eigen::Lower>();
  const Eigen::VectorXd diagonal = pattern_.diagonal();
  const Eigen::VectorXd held = matrix * Eigen::VectorXd::Ones(pattern_.rows());
  const Sparse sizes = pattern_.cwiseAbs();
  const Eigen::VectorXd coupled =
      sizes.selfadjointView<Eigen::Lower>() * Eigen::VectorXd::Ones(pattern_.rows()) - diagonal;
  for (int i = 0; i < pattern_.rows(); ++i) {
    const double softer = diagonal[i] - kGivingWay * std::max(0.0, held[i]);
    pattern_.coeffRef(i, i) = std::min(diagonal[i], std::max(softer, coupled[i]));
  }
  softened_ = diagonal - pattern_.diagonal();
}

void LumpedPreconditioner::locate_pairs() {
  const int* outer = pattern_.outerIndexPtr();
  const int* inner = pattern_.innerIndexPtr();
  pair_begin_.assign(1, 0);
  pair_.clear();
  for (const SlotRow& row : rows_) {
    for (int i = 0; i < row.count; ++i)
      for (int j = 0; j <= i; ++j) {
        const int low = std::max(row.slot[i], row.slot[j]);
        const int column = std::min(row.slot[i], row.slot[j]);
        const int* found = std::lower_bound(inner + outer[column], inner + outer[column + 1], low);
        pair_.push_back(static_cast<int>(found - inner));
      }
    pair_begin_.push_back(static_cast<int>(pair_.size()));
  }
}

void LumpedPreconditioner::factorize() {
  Sparse sum = pattern_;
  double* values = sum.valuePtr();
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const SlotRow& row = rows_[c];
    int pair = pair_begin_[c];
    for (int i = 0; i < row.count; ++i)
      for (int j = 0; j <= i; ++j)
        values[pair_[pair++]] += stiffness_[c] * row.weight[i] * row.weight[j];
  }
  try {
    cholesky_.factorize(sum);
  } catch (const NotPositiveDefinite&) {
    // Flat elements make rows that others hold up: these cannot give way.
    for (int i = 0; i < sum.rows(); ++i) sum.coeffRef(i, i) += softened_[i];
    cholesky_.factorize(sum);
  }
  ++factorizations_;
}

void LumpedPreconditioner::multiply(const Points& r, Points& z) const {
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
  const auto lane = [&](int slot) {
    return Vec3::Map(&lanes_[4 * static_cast<std::size_t>(place_[slot])]);
  };
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (int k = 0; k < rows_[c].count; ++k)
      lane(rows_[c].slot[k]) += stiffness_[c] * rows_[c].weight[k] * r.col(c);
  cholesky_.solve(lanes_.data());
  z.resize(3, r.cols());
  parallel_each(r.cols(), kLumpedRowsPerPiece, [&](std::ptrdiff_t c) {
    if (stiffness_[c] == 0) {
      z.col(c) = r.col(c) / ((1 + proximal_) * compliance_[c]);
      return;
    }
    Vec3 moved = r.col(c);
    for (int k = 0; k < rows_[c].count; ++k) moved -= rows_[c].weight[k] * lane(rows_[c].slot[k]);
    z.col(c) = stiffness_[c] * moved;
  });
}

// With P the preconditioner, the inverse misses all but what P V says is small: eigenvalues of
// V^T P V are how much softer bodies are in these directions than P knows.
Eigen::MatrixXd LumpedPreconditioner::missed(const Eigen::MatrixXd& v) const {
  if (v.cols() == 0) return v;
  const Eigen::Index rows = v.rows() / 3;
  Eigen::MatrixXd images(v.rows(), v.cols());
  Points image;
  for (Eigen::Index k = 0; k < v.cols(); ++k) {
    multiply(Eigen::Map<const Points>(v.col(k).data(), 3, rows), image);
    images.col(k) = Eigen::Map<const Eigen::VectorXd>(image.data(), image.size());
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> softer(v.transpose() * images);
  const auto count = (softer.eigenvalues().array() > kMissed).count();
  return v * softer.eigenvectors().rightCols(count);
}

}  // namespace dashpot
