#include "solver/simulation/step_rule.h"

#include <numeric>
#include <vector>

#include "solver/simulation/energies.h"

namespace dashpot {
namespace {

// Below this stretch a tet counts as collapsed: its force at the start of a step says nothing about
// the step, so that the first step must not extrapolate it.
constexpr double kCollapsed = 0.1;

// Damping that takes this share of the kinetic energy within a step.
constexpr double kOverdamped = 0.1;

// W
double damping_power(const State& state, Islands& islands) {
  std::vector<double> power;
  islands.dissipation(state.x, state.v, power);
  return std::accumulate(power.begin(), power.end(), 0.0);
}

// Whether damping would end a part of the first velocities within the step: then its force at the
// start says nothing about the step either.
bool starts_overdamped(const SimulationModel& model, double dt, const State& state,
                       Islands& islands) {
  if (state.steps != 0 || !islands.are_damped()) return false;
  const double kinetic = kinetic_energy(model, state.v, 0, model.point_count());
  return damping_power(state, islands) * dt > kOverdamped * kinetic;
}

}  // namespace

bool starts_collapsed(const SimulationModel& model, const State& state) {
  return state.steps == 0 && stretch_range(model, state.x).min < kCollapsed;
}

IntegratorRule choose_rule(const SimulationModel& model, const SolverSettings& settings, double dt,
                           const State& from, Islands& islands) {
  if (starts_collapsed(model, from) || starts_overdamped(model, dt, from, islands))
    return integrator_rule(Integrator::kBackwardEuler);
  IntegratorRule rule = integrator_rule(settings.integrator);
  const bool has_previous = from.x_previous.size() != 0 && from.previous_dt == dt;
  if (rule.needs_previous && !has_previous) rule = integrator_rule(Integrator::kTrBdf2);
  const bool has_no_force = from.steps != 0 && from.previous_dt == 0;
  return has_no_force ? without_first_force(rule) : rule;
}

}  // namespace dashpot
