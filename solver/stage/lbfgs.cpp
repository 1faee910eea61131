#include "solver/stage/lbfgs.h"

#include <algorithm>

#include "solver/base/known_count.h"
#include "solver/base/lane_points.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kNewtonGrain = 2048;  // doubles

// A step along which the force changed by less than this part of it tells of no stiffness.
constexpr double kLeastCurvature = 1e-3;

}  // namespace

Lbfgs::Products& Lbfgs::Products::operator+=(const Products& other) {
  for (int j = 0; j < kSlots; ++j) {
    step[j] += other.step[j];
    change[j] += other.change[j];
  }
  squared_length += other.squared_length;
  step_change += other.step_change;
  squared_change += other.squared_change;
  return *this;
}

void Lbfgs::resize(std::size_t size) {
  restart();
  if (gradient_.size() == size) return;
  for (auto* v : {&gradient_, &preconditioned_, &last_gradient_, &last_preconditioned_})
    v->assign(size, 0.0);
  for (auto& v : steps_) v.assign(size, 0.0);
  for (auto& v : changes_) v.assign(size, 0.0);
}

void Lbfgs::restart() {
  count_ = 0;
  has_step_ = false;
}

// Of the last step, whose A^-1 y is found here.
void Lbfgs::compare_last(ChunkRange range, Products& part) {
  Lane step_change{}, squared_change{};
  double *step = steps_[next_].data(), *change = changes_[next_].data();
  for (auto i = range.begin; i < range.end; i += kLanes) {
    const Lane y = load_lane(&gradient_[i]) - load_lane(&last_gradient_[i]);
    const Lane solved = load_lane(&preconditioned_[i]) - load_lane(&last_preconditioned_[i]);
    store_lane(change + i, solved);
    step_change += load_lane(step + i) * y;
    squared_change += y * solved;
  }
  part.step_change = lane_sum(step_change);
  part.squared_change = lane_sum(squared_change);
}

Lbfgs::Products Lbfgs::multiply() {
  std::array<int, kSlots> slots{};
  int vectors = 0;
  for (int age = 0; age < count_; ++age) slots[vectors++] = slot(age);
  if (has_step_) slots[vectors++] = next_;
  return parallel_sum(size(), kNewtonGrain, Products(), [&](ChunkRange range) {
    Products part;
    if (has_step_) compare_last(range, part);
    const double* gradient = gradient_.data();
    Lane length{};
    for (auto i = range.begin; i < range.end; i += kLanes)
      length += load_lane(gradient + i) * load_lane(&preconditioned_[i]);
    part.squared_length = lane_sum(length);
    with_count<kSlots>(vectors, [&](auto count) {
      constexpr int kCount = decltype(count)::value;
      const double *step[kCount], *change[kCount];
      Lane by_step[kCount] = {}, by_change[kCount] = {};
      for (int k = 0; k < kCount; ++k) {
        step[k] = steps_[slots[k]].data();
        change[k] = changes_[slots[k]].data();
      }
      for (auto i = range.begin; i < range.end; i += kLanes) {
        const Lane g = load_lane(gradient + i);
        for (int k = 0; k < kCount; ++k) {
          by_step[k] += g * load_lane(step[k] + i);
          by_change[k] += g * load_lane(change[k] + i);
        }
      }
      for (int k = 0; k < kCount; ++k) {
        part.step[slots[k]] = lane_sum(by_step[k]);
        part.change[slots[k]] = lane_sum(by_change[k]);
      }
    });
    return part;
  });
}

void Lbfgs::learn(const Products& now) {
  squared_length_ = now.squared_length;
  const bool tells = has_step_ && now.step_change > -kLeastCurvature * slope_;
  for (int age = 0; tells && age < count_; ++age) {
    const int j = slot(age);
    step_change_[j][next_] = now.step[j] - step_gradient_[j];
    change_change_[j][next_] = change_change_[next_][j] = now.change[j] - change_gradient_[j];
  }
  step_gradient_ = now.step;
  change_gradient_ = now.change;
  if (!tells) return;
  step_change_[next_][next_] = now.step_change;
  change_change_[next_][next_] = now.squared_change;
  count_ = std::min(count_ + 1, kPairs);
  next_ = (next_ + 1) % kSlots;
}

// The two loops of L-BFGS (Nocedal), in terms of products: H g = A^-1 g + sum of the combination.
Lbfgs::Combination Lbfgs::combine() const {
  Combination c;
  for (int age = 0; age < count_; ++age) {
    const int i = slot(age);
    double product = step_gradient_[i];
    for (int newer = 0; newer < age; ++newer)
      product += c.change[slot(newer)] * step_change_[i][slot(newer)];
    c.change[i] = -product / step_change_[i][i];
  }
  for (int age = count_ - 1; age >= 0; --age) {
    const int i = slot(age);
    double product = change_gradient_[i];
    for (int other = 0; other < count_; ++other)
      product += c.change[slot(other)] * change_change_[i][slot(other)];
    for (int older = count_ - 1; older > age; --older)
      product += c.step[slot(older)] * step_change_[slot(older)][i];
    c.step[i] = -c.change[i] - product / step_change_[i][i];
  }
  return c;
}

void Lbfgs::set_step(const Combination& combination) {
  std::array<const double*, 2 * kPairs + 1> vector{};
  std::array<double, 2 * kPairs + 1> factor{};
  int vectors = 0;
  const auto add = [&](const std::vector<double>& v, double f) {
    vector[vectors] = v.data();
    factor[vectors++] = -f;
  };
  add(preconditioned_, 1);
  for (int age = 0; age < count_; ++age) {
    add(steps_[slot(age)], combination.step[slot(age)]);
    add(changes_[slot(age)], combination.change[slot(age)]);
  }
  double* step = steps_[next_].data();
  parallel_chunks(size(), kNewtonGrain, [&](ChunkRange range, std::ptrdiff_t) {
    with_count<2 * kPairs + 1>(vectors, [&](auto count) {
      for (auto i = range.begin; i < range.end; i += kLanes) {
        Lane sum = factor[0] * load_lane(vector[0] + i);
        for (int k = 1; k < count; ++k) sum += factor[k] * load_lane(vector[k] + i);
        store_lane(step + i, sum);
      }
    });
  });
}

const std::vector<double>& Lbfgs::next_step() {
  learn(multiply());
  Combination combination = combine();
  const auto slope = [&] {
    double sum = squared_length_;
    for (int age = 0; age < count_; ++age) {
      const int j = slot(age);
      sum += combination.step[j] * step_gradient_[j] + combination.change[j] * change_gradient_[j];
    }
    return -sum;
  };
  slope_ = slope();
  if (!(slope_ < 0)) {  // rounding, or a force without potential
    restart();
    slope_ = -squared_length_;
  }
  set_step(combination);
  has_step_ = true;
  gradient_.swap(last_gradient_);
  preconditioned_.swap(last_preconditioned_);
  return steps_[next_];
}

double Lbfgs::slope_at_end() const {
  const std::vector<double>& step = steps_[next_];
  return parallel_sum(size(), kNewtonGrain, 0.0, [&](ChunkRange range) {
    Lane sum{};
    for (auto i = range.begin; i < range.end; i += kLanes)
      sum += load_lane(&gradient_[i]) * load_lane(&step[i]);
    return lane_sum(sum);
  });
}

void Lbfgs::scale_step(double factor) {
  for (double& v : steps_[next_]) v *= factor;
  slope_ *= factor;
}

}  // namespace dashpot
