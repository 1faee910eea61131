#pragma once

#include <algorithm>

#include "solver/contact/stage_contacts.h"
#include "solver/stage/stage_group.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

// When solvers look for what touches, and how exactly they solve for it.

// In the first iterations what touches is found anew, later it only grows: in ADMM every so often,
// else whenever something may have moved by this part of the gap since.
constexpr int kFirstLooks = 4, kIterationsPerLook = 6;
constexpr double kMotionPerLook = 0.5;
// Coulomb's law is solved to this part of what the stage may be off.
constexpr double kConesOfTolerance = 0.1;
// A step that is a smaller part of the gap, times the tolerance, cannot be seen; nor can what is
// left of Coulomb's law that is a small part of that.
constexpr double kUnseen = 4, kConesOfUnseen = 0.02;

// How exactly Coulomb's law has to be solved, m.
inline double cone_tolerance(double tolerance, double moved, double gap) {
  return std::max(kConesOfTolerance * tolerance * moved,
                  kConesOfUnseen * kUnseen * tolerance * gap);
}

// A stage that was not solved goes this share of the way to where something would be passed
// through.
constexpr double kSafeShare = 0.9;

// What has not been solved must not pass through anything either. x: of all points.
inline void cut_back(const StageGroup& group, const StageContacts& contacts, Points& x,
                     StageResult& result) {
  group.store(x);
  const double share = contacts.free_share(x);
  if (share >= 1) return;
  group.go_back(1 - kSafeShare * share);
  result.converged = false;
  result.cut = true;
}

}  // namespace dashpot
