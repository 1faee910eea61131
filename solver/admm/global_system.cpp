#include "solver/admm/global_system.h"

#include <algorithm>
#include <numeric>

namespace dashpot {
namespace {

// Factors with fewer entries are read from the caches, and then single precision saves nothing.
constexpr std::size_t kFewEntries = 300000;
// Rounding the factor changes the stiffness against a motion of the body as a whole by some 1e-7
// of the stiffness within it. Up to this ratio of the latter to inertia, that costs no iterations.
constexpr double kStiffestRatio = 1e5;

}  // namespace

GlobalSystem::GlobalSystem(const Triplets& stiffness, std::vector<double> mass,
                           std::vector<double> drag, const std::vector<char>& pinned,
                           GlobalPrecision precision)
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
  factors_.push_back(std::make_unique<Factor>());
  factors_.front()->cholesky.analyze(stiffness_);

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

// From places in the list of kept entries to places in the compressed matrix.
void GlobalSystem::locate_entries(const Triplets& lower) {
  const int* outer = stiffness_.outerIndexPtr();
  const int* inner = stiffness_.innerIndexPtr();
  for (int& entry : entry_) {
    if (entry < 0) continue;
    const int row = lower[entry].row(), col = lower[entry].col();
    entry =
        static_cast<int>(std::lower_bound(inner + outer[col], inner + outer[col + 1], row) - inner);
  }
}

void GlobalSystem::add_entries(const std::vector<double>& values, double* into) const {
  for (std::size_t k = 0; k < entry_.size(); ++k)
    if (entry_[k] >= 0) into[entry_[k]] += values[k];
}

void GlobalSystem::forget_factors() {
  for (auto& factor : factors_) factor->h = 0;
  selected_ = nullptr;
}

void GlobalSystem::set_stiffness(const std::vector<double>& values) {
  double* matrix = stiffness_.valuePtr();
  std::fill(matrix, matrix + stiffness_.nonZeros(), 0.0);
  add_entries(values, matrix);
  forget_factors();
}

void GlobalSystem::set_damping(const std::vector<double>& values) {
  damping_.assign(static_cast<std::size_t>(stiffness_.nonZeros()), 0.0);
  add_entries(values, damping_.data());
  forget_factors();
}

FactorPrecision GlobalSystem::choose_precision(const Factor& factor) const {
  if (precision_ != GlobalPrecision::kAutomatic)
    return precision_ == GlobalPrecision::kSingle ? FactorPrecision::kSingle
                                                  : FactorPrecision::kDouble;
  if (factor.cholesky.nonzeros() < kFewEntries) return FactorPrecision::kDouble;
  const auto sum = [](const std::vector<double>& v) {
    return std::accumulate(v.begin(), v.end(), 0.0);
  };
  return sum(factor.diagonal) <= kStiffestRatio * sum(factor.inertia) ? FactorPrecision::kSingle
                                                                      : FactorPrecision::kDouble;
}

void GlobalSystem::factor(double h, Factor& into) {
  into.h = h;
  into.stamp = ++stamps_;
  into.inertia.resize(order_.free_count);
  into.diagonal.resize(order_.free_count);
  Eigen::SparseMatrix<double> matrix = stiffness_;
  for (std::size_t e = 0; e < damping_.size(); ++e) matrix.valuePtr()[e] += damping_[e] / h;
  for (int k = 0; k < order_.free_count; ++k) {
    into.inertia[k] = mass_[k] / (h * h) + drag_[k] / h;
    double& entry = matrix.coeffRef(free_row_[k], free_row_[k]);
    entry += into.inertia[k];
    into.diagonal[k] = entry;
  }
  into.precision = choose_precision(into);
  into.cholesky.factorize(matrix, into.precision);
}

void GlobalSystem::select(double h) {
  auto found = std::find_if(factors_.begin(), factors_.end(),
                            [h](const auto& factor) { return factor->h == h; });
  if (found == factors_.end()) {
    if (factors_.back()->h != 0 && factors_.size() == 1)
      factors_.push_back(std::make_unique<Factor>(*factors_.front()));
    found = factors_.end() - 1;
    factor(h, **found);
  }
  std::rotate(factors_.begin(), found, found + 1);
  selected_ = factors_.front().get();
}

}  // namespace dashpot
