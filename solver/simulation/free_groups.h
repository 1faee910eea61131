#pragma once

#include <vector>

#include "solver/integrator/motion.h"
#include "solver/simulation/simulation_model.h"
#include "solver/stage/islands.h"

namespace dashpot {

// s
struct StageLength {
  double h;    // of its equations
  double tau;  // how long it took
};

// Islands that press on each other and on nothing else have, after a stage, the momenta with which
// it began, and what gravity gave: implicit stages lose spin where velocities change much. Those
// that were solved with contact, but press on nothing, have their linear momentum. Of the islands
// that took part.
void keep_momenta(const SimulationModel& model, const Vec3& gravity, const Islands& islands,
                  const StageContact& contact, const IslandMask& active, const StageLength& stage,
                  const Motion& before, Motion& after);

}  // namespace dashpot
