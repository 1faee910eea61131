#pragma once

#include <vector>

namespace dashpot {

// The order in which the solver keeps vertices: free ones as the factor wants them, then pinned
// ones.
struct VertexOrder {
  std::vector<int> position;  // of each point
  std::vector<int> point;     // at each position
  int free_count = 0;

  int count() const { return static_cast<int>(point.size()); }
};

}  // namespace dashpot
