#pragma once

#include "solver/integrator/motion.h"
#include "solver/simulation/simulation_model.h"

namespace dashpot {

// Where the iterations of a stage begin.
struct Predictor {
  bool is_careful;  // does not trust the forces so far
  bool is_damped;   // damping may end the motion within the step
  bool has_colliders;

  // Where the motion so far would lead in time tau.
  Points operator()(const SimulationModel& model, const Motion& before, double tau) const;
};

}  // namespace dashpot
