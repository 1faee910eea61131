#pragma once

namespace dashpot {

// Work that a simulation had to do itself, because it was not left to it by a former one. Each
// takes as long as many iterations.
struct SetupWork {
  int orderings = 0;       // fill-reducing orders with their symbolic factors
  int factorizations = 0;  // of matrices with new values
};

}  // namespace dashpot
