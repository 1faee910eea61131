#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/base/parallel.h"

namespace dashpot {

// Limited-memory BFGS around a fixed matrix A that is near the Hessian everywhere: steps -H g,
// where H is A^-1 corrected by what the last steps showed of the Hessian. Of each it keeps the step
// s and A^-1 y, y being the change of the gradient. H g is then a combination of A^-1 g and these
// vectors, whose coefficients follow from products that one pass over them gives.
//
// It needs gradients only, no energies, so that forces without a potential are welcome.
class Lbfgs {
 public:
  static constexpr int kPairs = 6;

  void resize(std::size_t size);  // a multiple of the lanes
  void restart();

  // To be filled with the gradient at the present point, then with A^-1 times it.
  std::vector<double>& gradient() { return gradient_; }
  std::vector<double>& preconditioned() { return preconditioned_; }

  // Learns from the last step, if there was one, and returns the next. It is valid until the next
  // call; gradient() is then that of where the step leads.
  const std::vector<double>& next_step();

  // gradient^T A^-1 gradient where the step began
  double squared_length() const { return squared_length_; }
  // step^T gradient where the step began, and where it ends
  double slope() const { return slope_; }
  double slope_at_end() const;

  // The step turned out too long.
  void scale_step(double factor);

 private:
  static constexpr int kSlots = kPairs + 1;  // the last is for the step that is being taken
  using Row = std::array<double, kSlots>;

  // With the gradient.
  struct Products {
    Row step{}, change{};
    double squared_length = 0;
    double step_change = 0, squared_change = 0;  // s^T y and y^T A^-1 y of the last step
    Products& operator+=(const Products& other);
  };
  struct Combination {
    Row step{}, change{};
  };

  int slot(int age) const { return (next_ + kSlots - 1 - age) % kSlots; }
  std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(gradient_.size()); }
  void compare_last(ChunkRange range, Products& part);
  Products multiply();
  void learn(const Products& now);
  Combination combine() const;
  void set_step(const Combination& combination);

  std::vector<double> gradient_, preconditioned_, last_gradient_, last_preconditioned_;
  std::array<std::vector<double>, kSlots> steps_, changes_;  // s and A^-1 y
  Row step_gradient_{}, change_gradient_{};                  // s^T g and y^T A^-1 g
  std::array<Row, kSlots> step_change_{};                    // s_i^T y_j for steps i before j
  std::array<Row, kSlots> change_change_{};                  // y_i^T A^-1 y_j
  int count_ = 0, next_ = 0;
  bool has_step_ = false;
  double squared_length_ = 0, slope_ = 0;
};

}  // namespace dashpot
