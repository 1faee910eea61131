#include "solver/admm/anderson.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "solver/base/lane_points.h"

namespace dashpot {
namespace {

// An accelerated residual may grow this much before it is refused.
constexpr double kReject = 2.0;
// Relative to the trace: keeps nearly parallel residuals from producing huge coefficients.
constexpr double kRegularisation = 1e-12;

}  // namespace

void Anderson::resize(std::size_t size) {
  for (auto& v : residuals_) v.assign(size, 0.0);
  for (auto& v : images_) v.assign(size, 0.0);
  restart();
}

void Anderson::restart() {
  remembered_ = {};
  coefficients_ = {};
  current_ = 0;
  last_ = -1;
  coefficients_[0] = 1;
  accelerated_ = false;
}

void Anderson::next_iterate(std::size_t begin, std::size_t end, double* p) const {
  bool first = true;
  for (int j = 0; j < kSlots; ++j) {
    const double c = coefficients_[j];
    if (c == 0) continue;
    const double* image = images_[j].data();
    if (first)
      for (std::size_t i = begin; i < end; ++i) p[i] = c * image[i];
    else
      for (std::size_t i = begin; i < end; ++i) p[i] += c * image[i];
    first = false;
  }
}

Anderson::Coefficients Anderson::record(std::size_t begin, std::size_t end, const double* p) {
  const double* now = residuals_[current_].data();
  double* image = images_[current_].data();
  for (std::size_t i = begin; i < end; ++i) image[i] = p[i] + now[i];
  Coefficients dots{};
  for (int j = 0; j < kSlots; ++j) {
    if (!remembers(j)) continue;
    const double* other = residuals_[j].data();
    Lane sum{};  // ranges are whole blocks, a multiple of the lanes
    for (std::size_t i = begin; i < end; i += kLanes)
      sum += load_lane(now + i) * load_lane(other + i);
    dots[j] = lane_sum(sum);
  }
  return dots;
}

int Anderson::begin_iterate() {
  current_ = (current_ + 1) % kSlots;
  remembered_[current_] = false;
  return current_;
}

void Anderson::end_iterate(const Coefficients& dots) {
  for (int j = 0; j < kSlots; ++j)
    if (remembers(j)) gram_[current_][j] = gram_[j][current_] = dots[j];

  coefficients_ = {};
  const double squared = gram_[current_][current_];
  if (accelerated_ && squared > kReject * kReject * gram_[last_][last_]) {
    coefficients_[last_] = 1;
    remembered_ = {};
    last_ = -1;
    accelerated_ = false;
    return;
  }
  remembered_[current_] = true;
  last_ = current_;
  combine();
}

// min | r_0 - sum theta_i (r_0 - r_i) |, r_0 the current residual
void Anderson::combine() {
  std::array<int, kSlots> slots{};
  int count = 0;
  for (int j = 0; j < kSlots; ++j)
    if (remembered_[j] && j != current_) slots[count++] = j;

  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, kSlots, kSlots> normal(count, count);
  Eigen::Matrix<double, Eigen::Dynamic, 1, 0, kSlots, 1> rhs(count);
  const auto& now = gram_[current_];
  for (int i = 0; i < count; ++i) {
    rhs[i] = now[current_] - now[slots[i]];
    for (int j = 0; j < count; ++j)
      normal(i, j) = now[current_] - now[slots[i]] - now[slots[j]] + gram_[slots[i]][slots[j]];
  }
  coefficients_[current_] = 1;
  const double trace = count ? normal.trace() : 0;
  accelerated_ = trace > 0;
  if (!accelerated_) return;
  normal.diagonal().array() += kRegularisation * trace;
  const auto theta = normal.ldlt().solve(rhs).eval();
  if (!theta.allFinite()) return;
  for (int i = 0; i < count; ++i) {
    coefficients_[slots[i]] = theta[i];
    coefficients_[current_] -= theta[i];
  }
}

}  // namespace dashpot
