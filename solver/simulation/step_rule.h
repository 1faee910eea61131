#pragma once

#include "solver/integrator/integrator.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"
#include "solver/stage/islands.h"

namespace dashpot {

// The first step begins with a collapsed tet, whose force says nothing about the step.
bool starts_collapsed(const SimulationModel& model, const State& state);

// The rule of the next step: the integrator that was asked for, unless the step begins with forces
// that say little about it.
IntegratorRule choose_rule(const SimulationModel& model, const SolverSettings& settings, double dt,
                           const State& from, Islands& islands);

}  // namespace dashpot
