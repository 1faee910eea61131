#pragma once

#include <vector>

namespace dashpot {

// Groups of columns of the factor that are stored as one dense block.
struct Supernodes {
  // Columns of a supernode must be neighbours: order[k] is the column to move to position k.
  std::vector<int> order;
  // Supernode s owns the positions first_column[s] .. first_column[s + 1] - 1.
  std::vector<int> first_column;
  // -1 for a root. Supernodes are postordered: subtrees are contiguous, parents come last.
  std::vector<int> parent;
};

// Starts from columns with identical patterns and merges children into parents where the explicit
// zeros that this adds cost less than handling one more small block. `parent` is a postordered
// elimination tree, `counts` the column counts.
Supernodes find_supernodes(const std::vector<int>& parent, const std::vector<int>& counts);

}  // namespace dashpot
