#include "solver/simulation/retry_policy.h"

#include <limits>

#include "solver/simulation/energies.h"
#include "solver/simulation/energy_repair.h"

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
// Whether a rule must not make energy in any single step: midpoint and trapezoidal rule keep it on
// average.
bool is_stable(const IntegratorRule& rule) {
  return rule.extrapolation == 1 && rule.stages[0].alpha != 0.5;
}

// As a share of what there was. A stage can also converge to where its objective is stationary but
// not least; rules that are stable for every step then make much more than they ever do.
double may_make(const SimulationModel& model, const StepAttempt& attempt, int body) {
  const bool moves = model.has_moving_pins(body);
  if (!attempt.has_converged()) return moves ? kSlackOfWork : kSlack;
  const IntegratorRule& rule = attempt.rule();
  if (!is_stable(rule)) return std::numeric_limits<double>::infinity();
  if (model.is_damped[body] && !moves) return kSlack;
  const bool is_euler = rule.stages[0].alpha == 1;
  return is_euler ? kSlackOfWork : 1;
}

// What a step may be kept with is taken nevertheless from bodies that have met something: hits
// leave vibration that makes energy where steps turn it far.
void limit_bodies(const SimulationModel& model, StepAttempt& attempt) {
  if (attempt.has_converged() && !is_stable(attempt.rule())) return;
  for (int b = 0; b < model.body_count(); ++b)
    if (attempt.balance().flows()[b].met) attempt.balance().limit(b, attempt.to());
}

}  // namespace

bool keeps_the_law(const SimulationModel& model, StepAttempt& attempt, bool is_last) {
  EnergyBalance& balance = attempt.balance();
  if (!attempt.has_converged()) balance.doubt_work(attempt.dt());
  for (int b = 0; b < model.body_count(); ++b) {
    if (model.is_damped[b] && balance.taken(b) > kMostTaken) return false;
    const double excess = balance.excess(b);
    if (excess <= may_make(model, attempt, b)) continue;
    const Measurement& now = balance.after()[b];
    const bool is_little =
        excess <= kMostTaken && total_energy(now) - now.kinetic < balance.bound(b);
    if (!is_little || !is_last) return false;
    balance.limit(b, attempt.to());
  }
  limit_bodies(model, attempt);
  return true;
}

bool may_have_lost(const SimulationModel& model, StepAttempt& attempt) {
  if (attempt.rule().stages[0].alpha == 1) return false;  // backward Euler always does
  for (int b = 0; b < model.body_count(); ++b)
    if (!model.is_damped[b] && !attempt.balance().flows()[b].touched && !model.has_moving_pins(b) &&
        attempt.balance().excess(b) < -kMostLost)
      return true;
  return false;
}

void repair_bodies(const StepStart& start, StepAttempt& attempt) {
  EnergyBalance& balance = attempt.balance();
  for (int b = 0; b < start.model.body_count(); ++b) {
    if (start.model.has_moving_pins(b)) continue;
    if (attempt.is_lost()) balance.forget_work(b);
    if (balance.excess(b) > kSlack) repair_energy(start, b, balance, attempt.to());
  }
}

}  // namespace dashpot
