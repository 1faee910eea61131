#include "solver/simulation/step.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "solver/base/error.h"
#include "solver/simulation/energy_repair.h"
#include "solver/simulation/step_attempt.h"
#include "solver/simulation/step_rule.h"

namespace dashpot {
namespace {

// What a body may end a step with above the bound without a word, as a share of what there was to
// give: the error of quadratures and of unfinished iterations.
constexpr double kSlack = 1e-3;
// The same where the work of moving pins is among it, which is a quadrature.
constexpr double kSlackOfWork = 0.05;
// A step of which more must be taken is taken again instead.
constexpr double kMostTaken = 0.05;
// The share that unfinished iterations may cost a body which nothing takes energy from.
constexpr double kMostLost = 3e-3;
// How many times its budget a step gets that has not converged and makes energy.
constexpr int kMoreIterations = 8;

// As a share of what there was. A stage can also converge to where its objective is stationary but
// not least; rules that are stable for every step then make much more than they ever do.
double may_make(const SimulationModel& system, const StepAttempt& attempt, int body) {
  const bool moves = system.has_moving_pins(body);
  if (!attempt.has_converged()) return moves ? kSlackOfWork : kSlack;
  const IntegratorRule& rule = attempt.rule();
  const bool is_stable = rule.extrapolation == 1 && rule.stages[0].alpha != 0.5;
  if (!is_stable) return std::numeric_limits<double>::infinity();
  if (system.is_damped[body] && !moves) return kSlack;
  const bool is_euler = rule.stages[0].alpha == 1;
  return is_euler ? kSlackOfWork : 1;
}

// Whether every body keeps the law of energy, or is so near that taking the rest from its motion
// is better than another try. That is better than more iterations only where there are no more.
bool keeps_the_law(const SimulationModel& system, StepAttempt& attempt, bool is_last) {
  EnergyBalance& balance = attempt.balance();
  for (int b = 0; b < system.body_count(); ++b) {
    if (system.is_damped[b] && balance.taken(b) > kMostTaken) return false;
    const double excess = balance.excess(b);
    if (excess <= may_make(system, attempt, b)) continue;
    const Measurement& now = balance.after()[b];
    const bool is_little =
        excess <= kMostTaken && total_energy(now) - now.kinetic < balance.bound(b);
    if (!is_little || !is_last) return false;
    balance.limit(b, attempt.to());
  }
  return true;
}

// Whether unfinished iterations may have cost a body energy that nothing takes from it.
bool may_have_lost(const SimulationModel& system, StepAttempt& attempt) {
  if (attempt.rule().stages[0].alpha == 1) return false;  // backward Euler always does
  for (int b = 0; b < system.body_count(); ++b)
    if (!system.is_damped[b] && !attempt.balance().flows()[b].touched &&
        !system.has_moving_pins(b) && attempt.balance().excess(b) < -kMostLost)
      return true;
  return false;
}

void repair_bodies(const StepStart& start, StepAttempt& attempt) {
  EnergyBalance& balance = attempt.balance();
  for (int b = 0; b < start.system.body_count(); ++b) {
    if (start.system.has_moving_pins(b)) continue;
    if (attempt.is_lost()) balance.forget_work(b);
    if (balance.excess(b) > kSlack) repair_energy(start, b, balance, attempt.to());
  }
}

void add_cost(const StepReport& step, StepReport& report) {
  report.iterations += step.iterations;
  report.ms_local += step.ms_local;
  report.ms_global += step.ms_global;
  report.ms_contact += step.ms_contact;
}

void add_result(const StepReport& step, StepReport& report) {
  report.primal_residual = std::max(report.primal_residual, step.primal_residual);
  report.dual_residual = std::max(report.dual_residual, step.dual_residual);
  report.converged = report.converged && step.converged;
  report.contact.contacts = step.contact.contacts;
  report.contact.impulse += step.contact.impulse;
  report.contact.normal_impulse += step.contact.normal_impulse;
  report.contact.friction_use = std::max(report.contact.friction_use, step.contact.friction_use);
}

// Brings the totals of the ledger up to date.
State finish(const SimulationModel& system, StepAttempt& attempt, StepReport& report,
             std::vector<Measurement>& measured) {
  EnergyBalance& balance = attempt.balance();
  State to = std::move(attempt.to());
  add_result(attempt.report(), report);
  report.dissipated.resize(system.terms.tets.size(), 0.0);
  const std::vector<double>& dissipated = attempt.report().dissipated;
  for (int b = 0; b < system.body_count(); ++b) {
    const double booked = balance.flows()[b].damped;
    balance.close(b);
    const BodyFlow& flow = balance.flows()[b];
    to.work += flow.work;
    to.dissipated += flow.damped + flow.rubbed;
    const double share = booked > 0 ? flow.damped / booked : 0;
    for (int t = system.tet_offset[b]; t < system.tet_offset[b + 1]; ++t)
      report.dissipated[t] += share * dissipated[t];
  }
  measured = balance.after();
  return to;
}

}  // namespace

State initial_state(const SimulationModel& system, const Vec3& gravity, AdmmSolver& solver) {
  State state;
  state.x = system.initial_x;
  state.v = system.initial_v;
  state.a = -solver.force_gradient(state.x, state.v);
  for (int i = 0; i < system.point_count(); ++i) {
    if (system.pinned[i]) {
      state.a.col(i).setZero();
      continue;
    }
    state.a.col(i) = (state.a.col(i) - system.drag[i] * state.v.col(i)) / system.mass[i] + gravity;
  }
  state.dual.assign(solver.dual_size(), 0.0);
  const Measurement m = measure(system, state.x, state.v, gravity, -1);
  state.initial_energy = m.kinetic + m.elastic + m.gravitational;
  return state;
}

std::optional<State> take_step(const SimulationModel& system, const SolverSettings& settings,
                               double dt, const State& from, const std::function<bool()>& cancelled,
                               AdmmSolver& solver, StepReport& report,
                               std::vector<Measurement>& measured) {
  if (measured.empty()) measured = measure_bodies(system, from.x, from.v, settings.gravity);
  const StepStart start{system, settings, dt, from, measured};
  std::unique_ptr<StepAttempt> attempt;
  const auto run = [&](const IntegratorRule& rule, bool careful, int iterations) {
    attempt = std::make_unique<StepAttempt>(start, rule, careful, iterations, solver);
    const bool done = attempt->run(cancelled);
    add_cost(attempt->report(), report);
    return done;
  };
  const auto finished = [&] { return finish(system, *attempt, report, measured); };
  bool keeps = true;  // the law of energy
  try {
    const IntegratorRule rule = choose_rule(system, settings, dt, from, solver);
    if (!run(rule, false, settings.iterations)) return std::nullopt;
    const bool lacks = settings.tolerance > 0 && !attempt->has_converged();
    keeps = keeps_the_law(system, *attempt, !lacks);
    if (keeps && !attempt->is_lost() && !(lacks && may_have_lost(system, *attempt)))
      return finished();
    if (lacks && !(keeps && attempt->is_lost())) {
      if (!run(rule, false, kMoreIterations * settings.iterations)) return std::nullopt;
      keeps = keeps_the_law(system, *attempt, true);
      if (keeps && !attempt->is_lost()) return finished();
    }
  } catch (const SimulationError&) {
    // Another try is worth more than the reason.
    keeps = true;
  }
  report.taken_again = true;
  // What is far from any solution, but has made nothing, may get there in one stage.
  if (keeps) {
    if (!run(integrator_rule(Integrator::kBackwardEuler), true, settings.iterations))
      return std::nullopt;
    if (keeps_the_law(system, *attempt, true)) return finished();
  }
  if (!run(short_euler_rule(), true, settings.iterations)) return std::nullopt;
  repair_bodies(start, *attempt);
  return finished();
}

}  // namespace dashpot
