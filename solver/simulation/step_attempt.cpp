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

}  // namespace

StepAttempt::StepAttempt(const StepStart& start, const IntegratorRule& rule, bool careful,
                         int iterations, Islands& islands)
    : of_(start),
      rule_(rule),
      predictor_{careful, islands.are_damped(), !start.model.contact.colliders.empty()},
      iterations_(iterations),
      islands_(islands),
      start_{start.from.x, start.from.v, start.from.a},
      to_(start.from) {
  const SimulationModel& model = start.model;
  const Vec3& gravity = start.settings.gravity;
  if (!model.contact.colliders.empty())
    contact_.emplace(model.contact, ContactMasses{model.mass, model.drag, model.pinned},
                     ContactStep{gravity, start.from.time, start.dt, start.from.previous_dt},
                     start.from.contact);
  to_.dual.resize(islands.force_size(), 0.0);
  if (careful || starts_collapsed(model, start.from)) start_.a.colwise() = gravity;
  if (start.from.steps == 0) model.add_external(1, start_.a);
  ledger_.emplace(model, gravity, start.from, start_, islands);
}

bool StepAttempt::run(const std::function<bool()>& cancelled) {
  Motion before = start_;
  double begin = 0;
  for (int s = 0; s < rule_.stage_count; ++s) {
    const StageRule& stage = rule_.stages[s];
    Motion after;
    if (!solve_stage(stage, before, stage.end - begin, cancelled, after)) return false;
    if (rule_.extrapolation != 1) {
      ledger_->book_extrapolated(of_.dt, rule_.extrapolation, start_, after, to_.dual);
    } else {
      ledger_->book_stage((stage.end - begin) * of_.dt, before, after, to_.dual,
                          contact_ && contact_->touches());
    }
    before = std::move(after);
    begin = stage.end;
    // The next stage, or step, looks back at the start of this step.
    if (contact_)
      contact_->restart_history(stage.alpha * of_.dt, begin * of_.dt, start_.x, start_.v);
  }
  finish(before);
  return true;
}

// What damping sees of the past. That which contact made up is a line, not a turn, and its
// stretches mean nothing: after a jump the past is linear about where the stage begins, which is
// also all that a stage of backward Euler knows. Returns what the stage then points to.
Points StepAttempt::look_back(const Motion& before, double tau, Stage& stage) const {
  StageHistory<Points>& past = stage.history;
  if (past.stage == 0 || !islands_.are_damped()) return {};
  const bool is_euler = past.step == 0 && past.previous == 0 && past.rate == 0;
  if (!is_euler && !(contact_ && contact_->has_jumped())) return {};
  past.step = past.rate = 1;
  past.stage = past.previous = 0;
  past.end = tau;
  past.x = &before.x;
  return stage.x_p - before.x;
}

bool StepAttempt::solve_stage(const StageRule& rule, const Motion& before, double fraction,
                              const std::function<bool()>& cancelled, Motion& after) {
  const History history{
      start_.x, start_.v, start_.a, before.x, before.v, of_.from.x_previous, of_.from.v_previous};
  Stage stage = make_stage(rule, of_.dt, history, of_.settings.gravity);
  of_.model.add_external(stage.h * stage.h, stage.x_tilde);
  const double tau = fraction * of_.dt, begin = rule.end - fraction;
  const Points past = look_back(before, tau, stage);
  if (past.size() != 0) stage.history.v = &past;
  after.x = predictor_(of_.model, before, tau);
  Points target_v = before.v;
  place_pins(rule.end, after.x, target_v);
  const StageSettings stage_settings{iterations_, of_.settings.tolerance,
                                     of_.settings.stage_solver};
  std::optional<ContactState> contact;
  if (contact_) contact = contact_->prepare(rule, begin, rule.end, rule_.extrapolation);
  const StageResult result = islands_.solve(stage, before.x, stage_settings, cancelled, after.x,
                                            to_.dual, contact ? &*contact : nullptr);
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
  throw SimulationError("the step at " + std::to_string(of_.from.time) +
                        " s did not stay finite; raise substeps or use backwardeuler.");
}

void StepAttempt::set_velocities(const Stage& stage, const Motion& before, double tau,
                                 const Points& target_v, Motion& after) const {
  after.v = (after.x - stage.x_p) / stage.h;
  after.a = (after.v - stage.v_p) / stage.h;
  for (int i = 0; i < of_.model.point_count(); ++i) {
    if (!of_.model.pinned[i]) continue;
    after.v.col(i) = target_v.col(i);
    after.a.col(i) = (after.v.col(i) - before.v.col(i)) / tau;
  }
}

// With extrapolation, velocities settle at the end of the step.
void StepAttempt::settle(const StageRule& rule, double begin, const Motion& before,
                         ContactState& contact, Motion& after) {
  const double k = rule_.extrapolation;
  if (k == 1) {
    contact_->finish_stage(rule, begin, k, before, islands_, contact, after);
    return;
  }
  Motion end{start_.x + k * (after.x - start_.x), start_.v + k * (after.v - start_.v), after.a};
  contact_->finish_stage(rule, begin, k, before, islands_, contact, end);
  settled_v_ = end.v;
}

// Targets at a fraction of the step. A midpoint stage is placed so that its extrapolation hits
// the target at the end of the step exactly.
void StepAttempt::place_pins(double fraction, Points& x, Points& v) const {
  if (rule_.extrapolation == 1) {
    of_.model.place_pins(of_.from.time + fraction * of_.dt, x, v);
  } else {
    of_.model.place_pins(of_.from.time + of_.dt, x, v);
    for (const auto& set : of_.model.pins)
      for (int i : set.points) {
        x.col(i) = start_.x.col(i) + (x.col(i) - start_.x.col(i)) / rule_.extrapolation;
        v.col(i) = start_.v.col(i) + (v.col(i) - start_.v.col(i)) / rule_.extrapolation;
      }
  }
  for (const int i : of_.model.carried) x.col(i) = start_.x.col(i);
}

void StepAttempt::record(const StageResult& result) {
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
  to_.x = k == 1 ? last.x : Points(of_.from.x + k * (last.x - of_.from.x));
  to_.v = k == 1 ? last.v : Points(of_.from.v + k * (last.v - of_.from.v));
  if (settled_v_.size() != 0) to_.v = settled_v_;
  to_.a = last.a;
  to_.x_previous = contact_ ? start_.x : of_.from.x;
  to_.v_previous = contact_ ? start_.v : of_.from.v;
  to_.previous_dt = of_.dt;
  to_.time = of_.from.time + of_.dt;
  ++to_.steps;
  of_.model.place_pins(to_.time, to_.x, to_.v);
  check_finite(to_.x);
  check_finite(to_.v);
  ledger_->finish(of_.from, to_);
  std::vector<BodyFlow> flows = ledger_->flows();
  if (contact_) contact_->add_flows(flows);
  balance_.emplace(of_.model, of_.settings.gravity, of_.measured, std::move(flows), to_);
  if (contact_) finish_contact();
  report_.dissipated = ledger_->dissipated();
}

void StepAttempt::finish_contact() {
  report_.contact = contact_->report();
  report_.contact.impulse -= balance_->limit_touching(to_);
  to_.contact = contact_->memory(report_.contact.impulse);
  for (int b = 0; b < of_.model.body_count(); ++b)
    if (of_.model.is_damped[b] && balance_->taken(b) > kForgets) to_.previous_dt = 0;
}

}  // namespace dashpot
