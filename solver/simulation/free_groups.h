#pragma once

#include <vector>

#include "solver/integrator/motion.h"
#include "solver/simulation/simulation_model.h"
#include "solver/stage/islands.h"

namespace dashpot {

// Islands that press on each other and on nothing else have, after a stage, the momenta with which
// it began, and what gravity gave: implicit stages lose spin where velocities change much. Those
// that were solved with contact, but press on nothing, have their linear momentum. Of the islands
// that took part. after: that of the stage.
void keep_momenta(const SimulationModel& model, const Islands& islands, const CorrectedStage& stage,
                  const StageContact& contact, const IslandMask& active, Motion& after);

}  // namespace dashpot
