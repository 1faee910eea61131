#pragma once

#include <cstdint>

namespace dashpot {

// What Coulomb's law cost.
struct ConeWork {
  std::int64_t newton = 0, products = 0;  // steps, and products with the contact operator

  ConeWork& operator+=(const ConeWork& other) {
    newton += other.newton;
    products += other.products;
    return *this;
  }
};

// What stages took, besides time.
struct SolverWork {
  std::int64_t stages = 0, iterations = 0;
  std::int64_t solves = 0;  // with the global matrices, three right-hand sides each
  ConeWork cones;
};

}  // namespace dashpot
