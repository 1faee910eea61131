#include "solver/simulation/step_rule.h"

#include <numeric>
#include <vector>

#include "solver/simulation/contact_time_stepper.h"

namespace dashpot {
namespace {

// Below this stretch a tet counts as collapsed: its force at the start of a step says nothing about
// the step, so that the first step must not extrapolate it.
constexpr double kCollapsed = 0.1;

// Damping that takes this share of the kinetic energy within a step.
constexpr double kOverdamped = 0.1;

// W
double damping_power(const State& state, AdmmSolver& solver) {
  std::vector<double> power;
  solver.dissipation(state.x, state.v, power);
  return std::accumulate(power.begin(), power.end(), 0.0);
}

// Whether damping would end a part of the first velocities within the step: then its force at the
// start says nothing about the step either.
bool starts_overdamped(const SimulationModel& system, double dt, const State& state,
                       AdmmSolver& solver) {
  if (state.steps != 0 || !solver.is_damped()) return false;
  double kinetic = 0;
  for (int i = 0; i < system.point_count(); ++i)
    kinetic += 0.5 * system.mass[i] * state.v.col(i).squaredNorm();
  return damping_power(state, solver) * dt > kOverdamped * kinetic;
}

// Whether damping would end a part of the vibration within the step, that contact has stopped
// points of. Its force at the start, of which the trapezoidal rule makes half of the force of the
// stage, then says little about the step.
bool contact_is_overdamped(const SimulationModel& system, double dt, const State& state,
                           AdmmSolver& solver) {
  if (!solver.is_damped() || !ContactTimeStepper::touches(state)) return false;
  double vibration = 0;
  for (std::size_t b = 0; b + 1 < system.point_offset.size(); ++b) {
    double mass = 0;
    Vec3 momentum = Vec3::Zero();
    for (int i = system.point_offset[b]; i < system.point_offset[b + 1]; ++i) {
      mass += system.mass[i];
      momentum += system.mass[i] * state.v.col(i);
      vibration += 0.5 * system.mass[i] * state.v.col(i).squaredNorm();
    }
    vibration -= 0.5 * momentum.squaredNorm() / mass;
  }
  return damping_power(state, solver) * dt > kOverdamped * vibration;
}

// Whether the first step begins with something lying on a collider: the force at the start does not
// know of what the collider bears.
bool starts_touching(const SimulationModel& system, const SolverSettings& settings, double dt,
                     const State& state) {
  return state.steps == 0 && !system.colliders.empty() &&
         touches_collider(system, state.time, state.x, 0.5 * settings.gravity.norm() * dt * dt);
}

}  // namespace

bool starts_collapsed(const SimulationModel& system, const State& state) {
  return state.steps == 0 && stretch_range(system, state.x).min < kCollapsed;
}

IntegratorRule choose_rule(const SimulationModel& system, const SolverSettings& settings, double dt,
                           const State& from, AdmmSolver& solver) {
  if (starts_collapsed(system, from) || starts_overdamped(system, dt, from, solver) ||
      starts_touching(system, settings, dt, from))
    return integrator_rule(Integrator::kBackwardEuler);
  IntegratorRule rule = integrator_rule(settings.integrator);
  const bool has_previous = from.x_previous.size() != 0 && from.previous_dt == dt;
  if (rule.needs_previous && !has_previous) rule = integrator_rule(Integrator::kTrBdf2);
  const bool has_no_force = from.steps != 0 && from.previous_dt == 0;
  return has_no_force || contact_is_overdamped(system, dt, from, solver) ? without_first_force(rule)
                                                                         : rule;
}

}  // namespace dashpot
