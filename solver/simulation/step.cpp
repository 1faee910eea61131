#include "solver/simulation/step.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "solver/base/error.h"
#include "solver/simulation/energies.h"
#include "solver/simulation/retry_policy.h"
#include "solver/simulation/step_attempt.h"
#include "solver/simulation/step_rule.h"

namespace dashpot {
namespace {

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
  // Impulses add up, the rest is that of the last step.
  const ContactReport before = std::move(report.contact);
  report.contact = step.contact;
  report.contact.impulse += before.impulse;
  report.contact.normal_impulse += before.normal_impulse;
  report.contact.friction_use = std::max(before.friction_use, step.contact.friction_use);
}

// Brings the totals of the ledger up to date.
State finish(const SimulationModel& model, StepAttempt& attempt, StepReport& report,
             std::vector<Measurement>& measured) {
  EnergyBalance& balance = attempt.balance();
  State to = std::move(attempt.to());
  add_result(attempt.report(), report);
  report.dissipated.resize(static_cast<std::size_t>(model.elements.count()), 0.0);
  const std::vector<double>& dissipated = attempt.report().dissipated;
  balance.settle_work();
  for (int b = 0; b < model.body_count(); ++b) {
    const double booked = balance.flows()[b].damped;
    balance.close(b);
    const BodyFlow& flow = balance.flows()[b];
    to.work += flow.work;
    to.dissipated += flow.damped + flow.rubbed;
    const double share = booked > 0 ? flow.damped / booked : 0;
    model.for_each_element_of(b, [&](int e) { report.dissipated[e] += share * dissipated[e]; });
  }
  measured = balance.after();
  return to;
}

}  // namespace

State initial_state(const SimulationModel& model, const Vec3& gravity, Islands& islands) {
  State state;
  state.x = model.initial_x;
  state.v = model.initial_v;
  state.a = -islands.force_gradient(state.x, state.v);
  for (int i = 0; i < model.point_count(); ++i) {
    if (model.pinned[i]) {
      state.a.col(i).setZero();
      continue;
    }
    state.a.col(i) = (state.a.col(i) - model.drag[i] * state.v.col(i)) / model.mass[i] + gravity;
  }
  state.dual.assign(islands.force_size(), 0.0);
  state.dual_layout = islands.force_layout();
  state.contact = fitting({}, model.contact);
  const Measurement m = measure(model, state.x, state.v, gravity, -1);
  state.initial_energy = total_energy(m);
  return state;
}

std::optional<State> take_step(const SimulationModel& model, const SolverSettings& settings,
                               double dt, const State& from, const std::function<bool()>& cancelled,
                               Islands& islands, StepReport& report,
                               std::vector<Measurement>& measured) {
  if (measured.empty()) measured = measure_bodies(model, from.x, from.v, settings.gravity);
  const StepStart start{model, settings, dt, from, measured};
  std::unique_ptr<StepAttempt> attempt;
  const auto run = [&](const IntegratorRule& rule, bool careful, int iterations) {
    StiffHits stiff = careful ? StiffHits() : expected_hits(from, islands);
    do {
      attempt = std::make_unique<StepAttempt>(start, rule, careful, iterations, islands, stiff);
      const bool done = attempt->run(cancelled);
      add_cost(attempt->report(), report);
      if (!done) return false;
      stiff = attempt->stiff();
    } while (attempt->is_to_be_repeated());
    return true;
  };
  const auto finished = [&] { return finish(model, *attempt, report, measured); };
  bool keeps = true;  // the law of energy
  try {
    const IntegratorRule rule = choose_rule(model, settings, dt, from, islands);
    if (!run(rule, false, settings.iterations)) return std::nullopt;
    const bool lacks = settings.tolerance > 0 && !attempt->has_converged();
    keeps = keeps_the_law(model, *attempt, !lacks);
    if (keeps && !attempt->is_lost() && !(lacks && may_have_lost(model, *attempt)))
      return finished();
    if (lacks && !(keeps && attempt->is_lost())) {
      if (!run(rule, false, kMoreIterations * settings.iterations)) return std::nullopt;
      keeps = keeps_the_law(model, *attempt, true);
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
    if (keeps_the_law(model, *attempt, true)) return finished();
  }
  if (!run(short_euler_rule(), true, settings.iterations)) return std::nullopt;
  repair_bodies(start, *attempt);
  return finished();
}

}  // namespace dashpot
