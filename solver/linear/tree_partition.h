#pragma once

#include <vector>

#include "solver/linear/symbolic_factor.h"

namespace dashpot {

// The elimination forest cut for a parallel solve. The cut depends on the matrix alone, never on
// the number of threads.
struct TreePartition {
  // A subtree of supernodes first .. last that no other supernode below the top depends on.
  struct Subtree {
    int first, last;
  };
  // Subtrees that one task solves, one after the other. Tasks are independent.
  std::vector<std::vector<Subtree>> tasks;
  // Supernodes above the subtrees, in elimination order.
  std::vector<int> top;
};

TreePartition partition_tree(const SymbolicFactor& factor);

}  // namespace dashpot
