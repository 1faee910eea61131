#include "solver/stage/anderson.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "solver/base/known_count.h"
#include "solver/base/lane_points.h"

namespace dashpot {
namespace {

// An accelerated residual may grow this much before it is refused.
constexpr double kReject = 2.0;
// Relative to the trace: keeps nearly parallel residuals from producing huge coefficients.
constexpr double kRegularisation = 1e-12;

// Vectors of which a sum is made.
struct Terms {
  std::array<const double*, Anderson::kSlots> vector{};
  std::array<double, Anderson::kSlots> factor{};
  int count = 0;

  void add(const double* v, double f) {
    vector[count] = v;
    factor[count++] = f;
  }
};

}  // namespace

void Anderson::resize(std::size_t size) {
  if (residuals_.front().size() == size) return;
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

void Anderson::next_iterate(std::size_t begin, std::size_t end) {
  Terms terms;
  for (int j = 0; j < kSlots; ++j)
    if (coefficients_[j] != 0) terms.add(images_[j].data(), coefficients_[j]);
  double* p = images_[next_slot()].data();
  with_count<kSlots>(terms.count, [&](auto count) {
    for (std::size_t i = begin; i < end; i += kLanes) {
      Lane sum = terms.factor[0] * load_lane(terms.vector[0] + i);
      for (int t = 1; t < count; ++t) sum += terms.factor[t] * load_lane(terms.vector[t] + i);
      store_lane(p + i, sum);
    }
  });
}

Anderson::Coefficients Anderson::record(std::size_t begin, std::size_t end) {
  Terms terms;
  std::array<int, kSlots> slots{};
  for (int j = 0; j < kSlots; ++j) {
    if (!remembers(j)) continue;
    slots[terms.count] = j;
    terms.add(residuals_[j].data(), 1);
  }
  const double* now = residuals_[current_].data();
  double* image = images_[current_].data();
  Coefficients dots{};
  with_count<kSlots>(terms.count, [&](auto count) {
    Lane sum[decltype(count)::value] = {};
    for (std::size_t i = begin; i < end; i += kLanes) {
      const Lane r = load_lane(now + i);
      store_lane(image + i, load_lane(image + i) + r);
      for (int t = 0; t < count; ++t) sum[t] += r * load_lane(terms.vector[t] + i);
    }
    for (int t = 0; t < count; ++t) dots[slots[t]] = lane_sum(sum[t]);
  });
  return dots;
}

int Anderson::begin_iterate() {
  current_ = next_slot();
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
