#pragma once

#include <vector>

#include "solver/elements/element_set.h"
#include "solver/linear/global_matrix.h"

namespace dashpot {

// What stages are solved of: points with mass and the elements between them.
struct StageModel {
  Elements elements;
  std::vector<double> mass;      // kg per point
  std::vector<double> drag;      // kg/s per point, from massdamping
  std::vector<char> pinned;      // points that are not solved for: pinned, or without mass
  double laplacian = 0;          // coefficient of Laplacian damping, s
  bool conserve_angular = true;  // of Laplacian damping
  GlobalPrecision precision = GlobalPrecision::kAutomatic;

  int point_count() const { return static_cast<int>(mass.size()); }
};

}  // namespace dashpot
