#pragma once

#include <vector>

#include "solver/integrator/motion.h"
#include "solver/simulation/simulation_model.h"
#include "solver/stage/islands.h"

namespace dashpot {

// Islands that press on each other and on nothing else have, after a stage, the momenta with which
// it began, and what gravity gave: implicit stages lose spin where velocities change much. So have
// those that have been hit, and fly on with what that left of vibration. Those that were solved
// with contact, but press on nothing, have their linear momentum. active: islands that took part.
// after: that of the stage.
void keep_momenta(const SimulationModel& model, const Islands& islands, const CorrectedStage& stage,
                  const StageContact& contact, const IslandMask& active,
                  const IslandMask& has_been_hit, Motion& after);

}  // namespace dashpot
