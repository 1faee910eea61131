#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"
#include "solver/stage/islands.h"

namespace dashpot {

struct StepReport {
  int iterations = 0;
  double primal_residual = 0, dual_residual = 0;  // of the worst stage
  bool converged = true;
  bool taken_again = false;  // by backward Euler
  double ms_local = 0, ms_global = 0, ms_contact = 0;
  ContactReport contact;
  std::vector<double> dissipated;  // by damping of each element, J
};

// Prepares the state at time 0: pins in place, f^0, no duals.
State initial_state(const SimulationModel& model, const Vec3& gravity, Islands& islands);

// One step of dt. Empty if it was cancelled. Throws SimulationError if the result is not finite. A
// step that makes energy is given more iterations, then taken by short stages of backward Euler,
// and what it still makes is taken away. measured: each body in `from` on entry, or empty; in the
// result on return.
std::optional<State> take_step(const SimulationModel& model, const SolverSettings& settings,
                               double dt, const State& from, const std::function<bool()>& cancelled,
                               Islands& islands, StepReport& report,
                               std::vector<Measurement>& measured);

}  // namespace dashpot
