#pragma once

#include <vector>

#include "solver/integrator/motion.h"
#include "solver/simulation/simulation_model.h"
#include "solver/stage/islands.h"

namespace dashpot {

// Islands that press on each other and on nothing else have, after a stage, the momenta with which
// it began, and what gravity gave: implicit stages lose spin where velocities change much. Of the
// islands that took part.
void keep_momenta(const SimulationModel& model, const Vec3& gravity, const Islands& islands,
                  const std::vector<Contact>& contacts, const IslandMask& active, double tau,
                  const Motion& before, Motion& after);

}  // namespace dashpot
