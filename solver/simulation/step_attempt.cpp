#include "solver/simulation/step_attempt.h"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/stopwatch.h"
#include "solver/simulation/step_rule.h"

namespace dashpot {
namespace {

// A stage whose mismatch is this share of its motion has not been solved at all.
constexpr double kUnsolved = 0.1;
// A body of which the limit of energy takes a larger share than this has forces and a past that say
// nothing about its motion any more.
constexpr double kForgets = 1e-3;

// Damping that dies down within the step makes the start of the motion a bad guide to its end. A
// guess that halves or doubles stretches is replaced by a more careful one.
bool is_wild(const SimulationModel& system, const Points& guess, const StretchRange& now) {
  const StretchRange then = stretch_range(system, guess);
  return then.min < 0.5 * now.min || then.max > 2 * now.max;
}

}  // namespace

StepAttempt::StepAttempt(const StepStart& start, const IntegratorRule& rule, bool careful,
                         int iterations, AdmmSolver& solver)
    : start_of_(start),
      system_(start.system),
      settings_(start.settings),
      dt_(start.dt),
      from_(start.from),
      rule_(rule),
      is_careful_(careful),
      iterations_(iterations),
      solver_(solver),
      start_{from_.x, from_.v, from_.a},
      to_(from_) {
  if (!system_.colliders.empty()) contact_.emplace(system_, settings_.gravity, dt_, from_);
  if (careful || starts_collapsed(system_, from_)) start_.a.colwise() = settings_.gravity;
  if (from_.steps == 0) system_.add_external(1, start_.a);
  ledger_.emplace(system_, settings_.gravity, from_, start_, solver_);
}

bool StepAttempt::run(const std::function<bool()>& cancelled) {
  Motion before = start_;
  double begin = 0;
  for (int s = 0; s < rule_.stage_count; ++s) {
    const StageRule& stage = rule_.stages[s];
    Motion after;
    if (!solve_stage(stage, before, stage.end - begin, cancelled, after)) return false;
    if (rule_.extrapolation != 1) {
      ledger_->book_extrapolated(dt_, rule_.extrapolation, start_, after, to_.dual);
    } else {
      ledger_->book_stage((stage.end - begin) * dt_, before, after, to_.dual,
                          contact_ && contact_->touches());
    }
    before = std::move(after);
    begin = stage.end;
    // The next stage, or step, looks back at the start of this step.
    if (contact_) contact_->restart_history(stage.alpha * dt_, begin * dt_, start_.x, start_.v);
  }
  finish(before);
  return true;
}

// Where the motion so far would lead in time tau.
Points StepAttempt::guess(const Motion& before, double tau) const {
  Points x = before.x + tau * before.v + (0.5 * tau * tau) * before.a;
  if (is_careful_ && contact_) return before.x;  // on the side of every collider where it is
  if (!is_careful_ && !solver_.is_damped()) return x;
  const StretchRange now = stretch_range(system_, before.x);
  if (is_wild(system_, x, now)) {
    x = before.x + tau * before.v;
    if (is_wild(system_, x, now)) return before.x;
  }
  return x;
}

// What damping sees of the past. That which contact made up is a line, not a turn, and its
// stretches mean nothing: after a jump the past is linear about where the stage begins, which is
// also all that a stage of backward Euler knows. Returns what the stage then points to.
Points StepAttempt::look_back(const Motion& before, double tau, Stage& stage) const {
  StageMemory& memory = stage.memory;
  if (memory.stage == 0 || !solver_.is_damped()) return {};
  const bool is_euler = memory.step == 0 && memory.previous == 0 && memory.rate == 0;
  if (!is_euler && !(contact_ && contact_->has_jumped())) return {};
  memory.step = memory.rate = 1;
  memory.stage = memory.previous = 0;
  memory.end = tau;
  memory.x = &before.x;
  return stage.x_p - before.x;
}

bool StepAttempt::solve_stage(const StageRule& rule, const Motion& before, double fraction,
                              const std::function<bool()>& cancelled, Motion& after) {
  const History history{start_.x, start_.v,         start_.a,        before.x,
                        before.v, from_.x_previous, from_.v_previous};
  Stage stage = make_stage(rule, dt_, history, settings_.gravity);
  system_.add_external(stage.h * stage.h, stage.x_tilde);
  const double tau = fraction * dt_, begin = rule.end - fraction;
  const Points past = look_back(before, tau, stage);
  if (past.size() != 0) stage.memory.v = &past;
  after.x = guess(before, tau);
  Points target_v = before.v;
  place_pins(rule.end, after.x, target_v);
  const AdmmSettings admm{iterations_, settings_.tolerance, settings_.stage_solver};
  std::optional<ContactState> contact;
  if (contact_) contact = contact_->prepare(rule, begin, rule.end, rule_.extrapolation);
  const AdmmResult result = solver_.solve(stage, before.x, admm, cancelled, after.x, to_.dual,
                                          contact ? &*contact : nullptr);
  if (result.cancelled) return false;
  record(result);
  set_velocities(stage, before, tau, target_v, after);
  if (contact_) {
    const Stopwatch watch(report_.ms_contact);
    settle(rule, begin, before, *contact, after);
  }
  check_finite(after.x);
  return true;
}

void StepAttempt::check_finite(const Points& points) const {
  if (points.allFinite()) return;
  throw SimulationError("the step at " + std::to_string(from_.time) +
                        " s did not stay finite; raise substeps or use backwardeuler.");
}

void StepAttempt::set_velocities(const Stage& stage, const Motion& before, double tau,
                                 const Points& target_v, Motion& after) const {
  after.v = (after.x - stage.x_p) / stage.h;
  after.a = (after.v - stage.v_p) / stage.h;
  for (int i = 0; i < system_.point_count(); ++i) {
    if (!system_.pinned[i]) continue;
    after.v.col(i) = target_v.col(i);
    after.a.col(i) = (after.v.col(i) - before.v.col(i)) / tau;
  }
}

// With extrapolation, velocities settle at the end of the step.
void StepAttempt::settle(const StageRule& rule, double begin, const Motion& before,
                         ContactState& contact, Motion& after) {
  const double k = rule_.extrapolation;
  if (k == 1) {
    contact_->finish_stage(rule, begin, k, before, solver_, contact, after);
    return;
  }
  Motion end{start_.x + k * (after.x - start_.x), start_.v + k * (after.v - start_.v), after.a};
  contact_->finish_stage(rule, begin, k, before, solver_, contact, end);
  settled_v_ = end.v;
}

// Targets at a fraction of the step. A midpoint stage is placed so that its extrapolation hits
// the target at the end of the step exactly.
void StepAttempt::place_pins(double fraction, Points& x, Points& v) const {
  if (rule_.extrapolation == 1) {
    system_.place_pins(from_.time + fraction * dt_, x, v);
  } else {
    system_.place_pins(from_.time + dt_, x, v);
    for (const auto& set : system_.pins)
      for (int i : set.points) {
        x.col(i) = start_.x.col(i) + (x.col(i) - start_.x.col(i)) / rule_.extrapolation;
        v.col(i) = start_.v.col(i) + (v.col(i) - start_.v.col(i)) / rule_.extrapolation;
      }
  }
  for (int i = 0; i < system_.point_count(); ++i)
    if (system_.mass[i] == 0) x.col(i) = start_.x.col(i);  // in no tet
}

void StepAttempt::record(const AdmmResult& result) {
  report_.iterations += result.iterations;
  report_.primal_residual = std::max(report_.primal_residual, result.primal_residual);
  report_.dual_residual = std::max(report_.dual_residual, result.dual_residual);
  report_.converged = report_.converged && result.converged;
  is_lost_ = is_lost_ || (!result.converged && !(result.primal_residual < kUnsolved));
  report_.ms_local += result.ms_local;
  report_.ms_global += result.ms_global;
  report_.ms_contact += result.ms_contact;
}

void StepAttempt::finish(const Motion& last) {
  const double k = rule_.extrapolation;
  to_.x = k == 1 ? last.x : Points(from_.x + k * (last.x - from_.x));
  to_.v = k == 1 ? last.v : Points(from_.v + k * (last.v - from_.v));
  if (settled_v_.size() != 0) to_.v = settled_v_;
  to_.a = last.a;
  to_.x_previous = contact_ ? start_.x : from_.x;
  to_.v_previous = contact_ ? start_.v : from_.v;
  to_.previous_dt = dt_;
  to_.time = from_.time + dt_;
  ++to_.steps;
  system_.place_pins(to_.time, to_.x, to_.v);
  check_finite(to_.x);
  check_finite(to_.v);
  ledger_->finish(from_, to_);
  std::vector<BodyFlow> flows = ledger_->flows();
  if (contact_) contact_->add_flows(flows);
  balance_.emplace(system_, settings_.gravity, start_of_.measured, std::move(flows), to_);
  if (contact_) finish_contact();
  report_.dissipated = ledger_->dissipated();
}

void StepAttempt::finish_contact() {
  report_.contact = contact_->report();
  report_.contact.impulse -= balance_->limit_touching(to_);
  to_.contact = contact_->memory(report_.contact.impulse);
  for (int b = 0; b < system_.body_count(); ++b)
    if (system_.is_damped[b] && balance_->taken(b) > kForgets) to_.previous_dt = 0;
}

}  // namespace dashpot
