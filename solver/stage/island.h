#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "solver/elements/element_set.h"

namespace dashpot {

// Points that nothing connects to the others: they are solved for themselves, by the solver that
// suits them. Points in no element are in none.
struct Island {
  std::vector<int> points;                 // ascending
  std::vector<std::vector<int>> elements;  // of each set, ascending
  // Of each point of the scene, its place in the order of its own island's solver.
  std::shared_ptr<std::vector<int>> positions;

  int position(int point) const { return (*positions)[point]; }
};

// In the order of their first points.
std::vector<Island> find_islands(const Elements& elements, int point_count);

}  // namespace dashpot
