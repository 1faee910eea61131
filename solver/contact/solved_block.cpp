#include "solver/contact/solved_block.h"

#include <algorithm>

namespace dashpot {

SolvedBlock::SolvedBlock(const GlobalMatrix& system, std::vector<int> positions)
    : system_(system),
      positions_(std::move(positions)),
      lanes_(4 * static_cast<std::size_t>(system.order().free_count)) {}

void SolvedBlock::multiply(const Points& f, int first, int count, Points& u) const {
  std::fill(lanes_.begin(), lanes_.end(), 0.0);
  for (int i = 0; i < count; ++i)
    Vec3::Map(&lanes_[4 * static_cast<std::size_t>(positions_[i])]) = f.col(first + i);
  system_.solve(lanes_.data());
  for (int i = 0; i < count; ++i)
    u.col(first + i) = Vec3::Map(&lanes_[4 * static_cast<std::size_t>(positions_[i])]);
}

}  // namespace dashpot
