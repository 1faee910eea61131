#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace dashpot {

// Anderson acceleration of the fixed-point iteration p -> p + r(p), on flat vectors. Remembers the
// last residuals r_j and images g_j = p_j + r_j; the next iterate is the combination of images,
// with coefficients that sum to one, whose residuals cancel best.
//
// Safeguard: an accelerated iterate whose residual is more than twice the one before is refused;
// the iteration goes on from the last image that no acceleration was applied to, with an empty
// memory.
class Anderson {
 public:
  static constexpr int kSlots = 4;
  using Coefficients = std::array<double, kSlots>;

  void resize(std::size_t size);

  // Forgets everything; slot current() then holds the start: the next iterate is its image.
  void restart();

  int current() const { return current_; }
  double* residual(int slot) { return residuals_[slot].data(); }
  double* image(int slot) { return images_[slot].data(); }

  // The next iterate p. It takes the place of the oldest image, and becomes an image itself: a
  // vector less to read and write in every iteration.
  const double* iterate() const { return images_[next_slot()].data(); }
  // Computes its entries [begin, end), both multiples of the lanes.
  void next_iterate(std::size_t begin, std::size_t end);

  // The slot that the next residual is written into.
  int begin_iterate();
  // Called for every range once its residual is there: makes the image, and returns the range's
  // share of the products of this residual with the remembered ones.
  Coefficients record(std::size_t begin, std::size_t end);
  // The iterate that the current residual and image belong to.
  double iterate_before(std::size_t i) const {
    return images_[current_][i] - residuals_[current_][i];
  }
  // Takes the sum of those shares.
  void end_iterate(const Coefficients& dots);

 private:
  int next_slot() const { return (current_ + 1) % kSlots; }
  bool remembers(int slot) const { return remembered_[slot] || slot == current_; }
  void combine();

  std::array<std::vector<double>, kSlots> residuals_, images_;
  std::array<Coefficients, kSlots> gram_{};
  std::array<bool, kSlots> remembered_{};
  Coefficients coefficients_{};
  int current_ = 0;
  int last_ = -1;  // slot of the iterate before, -1 if there is none
  bool accelerated_ = false;
};

}  // namespace dashpot
