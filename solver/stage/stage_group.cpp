#include "solver/stage/stage_group.h"

#include <algorithm>
#include <cmath>

namespace dashpot {

ResidualScale StageGroup::scale() const {
  ResidualScale all;
  double change = 0, rounding = 0;
  for (StageProblem* problem : problems_) {
    problem->set_scale();
    const ResidualScale& own = problem->scale();
    change += own.change * own.change;
    rounding += own.rounding * own.rounding;
    all.moved = std::max(all.moved, own.moved);
    all.place_rounding = std::max(all.place_rounding, own.place_rounding);
  }
  all.change = std::sqrt(change);
  all.rounding = std::sqrt(rounding);
  return all;
}

}  // namespace dashpot
