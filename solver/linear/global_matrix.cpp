#include "solver/linear/global_matrix.h"

#include <algorithm>
#include <numeric>

namespace dashpot {
namespace {

// Factors with fewer entries are read from the caches, and then single precision saves nothing.
constexpr std::size_t kFewEntries = 300000;
// Rounding the factor changes the stiffness against a motion of the body as a whole by some 1e-7
// of the stiffness within it. Up to this ratio of the latter to inertia, that costs no iterations.
constexpr double kStiffestRatio = 1e5;

// The first one stays, because rewinds and edits begin with its matrix again, and there are those
// of the last two values of h: an integrator has at most two.
constexpr std::size_t kMostFactors = 3;
constexpr std::uint64_t kFirstStamp = 1;

}  // namespace

GlobalMatrix::GlobalMatrix(const Triplets& stiffness, std::vector<double> mass,
                           std::vector<double> drag, const std::vector<char>& pinned,
                           GlobalPrecision precision, const PreparedMatrix& former)
    : precision_(precision) {
  const int n = static_cast<int>(mass.size());
  std::vector<int> row_of_point(n, -1), free_points;
  for (int i = 0; i < n; ++i) {
    if (pinned[i]) continue;
    row_of_point[i] = static_cast<int>(free_points.size());
    free_points.push_back(i);
  }

  order_.free_count = static_cast<int>(free_points.size());
  Triplets lower;
  lower.reserve(stiffness.size() / 2 + free_points.size());
  entry_.reserve(stiffness.size());
  for (const auto& entry : stiffness) {
    const int row = row_of_point[entry.row()], col = row_of_point[entry.col()];
    const bool kept = row >= 0 && col >= 0 && row >= col;
    entry_.push_back(kept ? static_cast<int>(lower.size()) : -1);
    if (kept) lower.emplace_back(row, col, entry.value());
  }
  const std::size_t given = lower.size();
  for (int i = 0; i < order_.free_count; ++i) lower.emplace_back(i, i, 0.0);
  stiffness_.resize(order_.free_count, order_.free_count);
  stiffness_.setFromTriplets(lower.begin(), lower.end());
  lower.resize(given);
  locate_entries(lower);
  // Summed as set_stiffness does, so that values which come back make the same matrix, bit for bit.
  std::vector<double> values;
  values.reserve(stiffness.size());
  for (const auto& entry : stiffness) values.push_back(entry.value());
  set_stiffness(values);
  prepare_factors(former);

  free_row_ = factors_.front()->cholesky.permutation();
  order_.point.reserve(n);
  for (int row : free_row_) order_.point.push_back(free_points[row]);
  for (int i = 0; i < n; ++i)
    if (pinned[i]) order_.point.push_back(i);
  order_.position.resize(n);
  for (int k = 0; k < n; ++k) order_.position[order_.point[k]] = k;

  mass_.resize(n);
  drag_.resize(n);
  for (int k = 0; k < n; ++k) {
    mass_[k] = mass[order_.point[k]];
    drag_[k] = drag[order_.point[k]];
  }
}

void GlobalMatrix::prepare_factors(const PreparedMatrix& former) {
  for (const SparseCholesky& cholesky : former.factors) {
    if (!cholesky.has_pattern(stiffness_)) continue;
    factors_.push_back(std::make_unique<Factor>());
    factors_.back()->cholesky = cholesky;
  }
  if (!factors_.empty()) return;
  factors_.push_back(std::make_unique<Factor>());
  factors_.back()->cholesky.analyze(stiffness_);
  ++work_.orderings;
}

PreparedMatrix GlobalMatrix::prepared() const {
  PreparedMatrix prepared;
  for (const auto& factor : factors_) prepared.factors.push_back(factor->cholesky);
  return prepared;
}

// From places in the list of kept entries to places in the compressed matrix.
void GlobalMatrix::locate_entries(const Triplets& lower) {
  const int* outer = stiffness_.outerIndexPtr();
  const int* inner = stiffness_.innerIndexPtr();
  for (int& entry : entry_) {
    if (entry < 0) continue;
    const int row = lower[entry].row(), col = lower[entry].col();
    entry =
        static_cast<int>(std::lower_bound(inner + outer[col], inner + outer[col + 1], row) - inner);
  }
}

void GlobalMatrix::add_entries(const std::vector<double>& values, double* into) const {
  for (std::size_t k = 0; k < entry_.size(); ++k)
    if (entry_[k] >= 0) into[entry_[k]] += values[k];
}

void GlobalMatrix::forget_factors() {
  for (auto& factor : factors_) factor->h = 0;
  selected_ = nullptr;
}

void GlobalMatrix::set_stiffness(const std::vector<double>& values) {
  double* matrix = stiffness_.valuePtr();
  std::fill(matrix, matrix + stiffness_.nonZeros(), 0.0);
  add_entries(values, matrix);
  forget_factors();
}

void GlobalMatrix::set_damping(const std::vector<double>& values) {
  damping_.assign(static_cast<std::size_t>(stiffness_.nonZeros()), 0.0);
  add_entries(values, damping_.data());
  forget_factors();
}

FactorPrecision GlobalMatrix::choose_precision(const std::vector<double>& inertia,
                                               const std::vector<double>& diagonal) const {
  if (precision_ != GlobalPrecision::kAutomatic)
    return precision_ == GlobalPrecision::kSingle ? FactorPrecision::kSingle
                                                  : FactorPrecision::kDouble;
  if (factors_.front()->cholesky.nonzeros() < kFewEntries) return FactorPrecision::kDouble;
  const auto sum = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
  };
  return sum(diagonal) <= kStiffestRatio * sum(inertia) ? FactorPrecision::kSingle
                                                        : FactorPrecision::kDouble;
}

Eigen::SparseMatrix<double> GlobalMatrix::assemble(double h, std::vector<double>& inertia,
                                                   std::vector<double>& diagonal) const {
  Eigen::SparseMatrix<double> matrix = stiffness_;
  for (std::size_t e = 0; e < damping_.size(); ++e) matrix.valuePtr()[e] += damping_[e] / h;
  inertia.resize(order_.free_count);
  diagonal.resize(order_.free_count);
  for (int k = 0; k < order_.free_count; ++k) {
    inertia[k] = mass_[k] / (h * h) + drag_[k] / h;
    double& entry = matrix.coeffRef(free_row_[k], free_row_[k]);
    entry += inertia[k];
    diagonal[k] = entry;
  }
  return matrix;
}

Eigen::SparseMatrix<double> GlobalMatrix::submatrix(const std::vector<int>& positions) const {
  std::vector<int> index(static_cast<std::size_t>(order_.free_count), -1);  // by row of stiffness_
  for (std::size_t i = 0; i < positions.size(); ++i)
    index[free_row_[positions[i]]] = static_cast<int>(i);
  const int* outer = stiffness_.outerIndexPtr();
  const int* inner = stiffness_.innerIndexPtr();
  Triplets lower;
  for (std::size_t j = 0; j < positions.size(); ++j) {
    const int column = free_row_[positions[j]], own = static_cast<int>(j);
    for (int e = outer[column]; e < outer[column + 1]; ++e) {
      const int row = inner[e], other = index[row];
      if (other < 0) continue;
      const double damping = damping_.empty() ? 0 : damping_[e] / selected_->h;
      const double value =
          row == column ? selected_->diagonal[positions[j]] : stiffness_.valuePtr()[e] + damping;
      lower.emplace_back(std::max(own, other), std::min(own, other), value);
    }
  }
  const int size = static_cast<int>(positions.size());
  Eigen::SparseMatrix<double> matrix(size, size);
  matrix.setFromTriplets(lower.begin(), lower.end());
  return matrix;
}

// Where a new factor goes: in the place of one whose matrix is of the past, or of the one that was
// selected least recently.
GlobalMatrix::Factors::iterator GlobalMatrix::free_place() {
  // What a former system left fits at first, or not at all.
  const auto fits = [](const auto& factor) { return factor->stamp != 0; };
  const auto unfit = std::stable_partition(factors_.begin(), factors_.end(), fits);
  if (unfit != factors_.end()) {
    factors_.erase(unfit + 1, factors_.end());
    return unfit;
  }
  const auto oldest = [&](auto&& condition) {
    const auto found = std::find_if(factors_.rbegin(), factors_.rend(), [&](const auto& factor) {
      return factor->stamp != kFirstStamp && condition(*factor);
    });
    return found == factors_.rend() ? factors_.end() : found.base() - 1;
  };
  const auto past = oldest([](const Factor& factor) { return factor.h == 0; });
  if (past != factors_.end()) return past;
  if (factors_.size() == kMostFactors) return oldest([](const Factor&) { return true; });
  factors_.push_back(std::make_unique<Factor>());
  factors_.back()->cholesky = factors_.front()->cholesky;  // shares the analysis
  return factors_.end() - 1;
}

GlobalMatrix::Factors::iterator GlobalMatrix::factor(double h) {
  std::vector<double> inertia, diagonal;
  const Eigen::SparseMatrix<double> matrix = assemble(h, inertia, diagonal);
  const FactorPrecision precision = choose_precision(inertia, diagonal);
  auto found = std::find_if(factors_.begin(), factors_.end(), [&](const auto& factor) {
    return factor->cholesky.is_factor_of(matrix, precision);
  });
  const bool is_known = found != factors_.end();
  if (!is_known) {
    found = free_place();
    (*found)->h = 0;
    (*found)->cholesky.factorize(matrix, precision);
    ++work_.factorizations;
  }
  Factor& factor = **found;
  if (!is_known || factor.stamp == 0) factor.stamp = ++stamps_;
  factor.h = h;
  factor.inertia = std::move(inertia);
  factor.diagonal = std::move(diagonal);
  factor.precision = precision;
  return found;
}

void GlobalMatrix::select(double h) {
  auto found = std::find_if(factors_.begin(), factors_.end(),
                            [h](const auto& factor) { return factor->h == h; });
  if (found == factors_.end()) found = factor(h);
  std::rotate(factors_.begin(), found, found + 1);
  selected_ = factors_.front().get();
}

}  // namespace dashpot
