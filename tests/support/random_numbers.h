#pragma once

#include <cstdint>

#include "solver/base/types.h"

namespace dashpot {

// SplitMix64. Not <random>: its distributions differ from one standard library to the next.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

  // In [-1, 1).
  double next() {
    state_ += 0x9e3779b97f4a7c15ull;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-52 - 1.0;
  }
  double between(double low, double high) { return low + 0.5 * (next() + 1) * (high - low); }
  Vec3 vector() {
    const double x = next(), y = next(), z = next();
    return {x, y, z};
  }
  Points points(int count) {
    Points p(3, count);
    for (int i = 0; i < count; ++i) p.col(i) = vector();
    return p;
  }

 private:
  std::uint64_t state_;
};

}  // namespace dashpot
