#include "solver/simulation/step_attempt.h"

#include <algorithm>
#include <string>
#include <utility>

#include "solver/base/error.h"
#include "solver/base/stopwatch.h"
#include "solver/simulation/energies.h"
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
      predictor_{careful, islands.are_damped(), start.model.contact.has_contact()},
      iterations_(iterations),
      islands_(islands),
      start_{start.from.x, start.from.v, start.from.a},
      to_(start.from) {
  const SimulationModel& model = start.model;
  const Vec3& gravity = start.settings.gravity;
  if (model.contact.has_contact())
    contact_.emplace(model.contact, model.mass, ContactStep{start.from.time, start.dt},
                     start.from.contact);
  to_.dual.resize(islands.force_size(), 0.0);
  if (careful || starts_collapsed(model, start.from)) start_.a.colwise() = gravity;
  if (start.from.steps == 0) model.add_external(1, start_.a);
  ledger_.emplace(model, gravity, start.from, start_, islands);
}

// Rules that end a step beyond their last stage cannot know what happens there.
bool StepAttempt::may_touch() {
  if (contact_->touches()) return true;
  if (rule_.extrapolation == 1) return false;
  stage_contact_.kinematics = contact_->kinematics(0, 1);
  return islands_.is_anything_near(stage_contact_, start_.x, predictor_(of_.model, start_, of_.dt));
}

bool StepAttempt::run(const std::function<bool()>& cancelled) {
  if (contact_ && may_touch()) {
    is_touching_ = true;
    rule_ = touching_rule(rule_);
  }
  Motion before = start_;
  double begin = 0;
  for (int s = 0; s < rule_.stage_count; ++s) {
    Motion after;
    if (!solve_stage(rule_.stages[s], before, begin, cancelled, after)) return false;
    if (is_stiff_hit_) return true;
    // What looks back farther than to its beginning would see the touch as motion.
    if (contact_ && contact_->touches() && !is_touching_) {
      const bool looked_back = looks_back(rule_.stages[s]);
      is_touching_ = true;
      rule_ = touching_rule(rule_);
      if (looked_back && !solve_stage(rule_.stages[s], before, begin, cancelled, after))
        return false;
      if (is_stiff_hit_) return true;
    }
    const double tau = (rule_.stages[s].end - begin) * of_.dt;
    if (rule_.extrapolation != 1) {
      ledger_->book_extrapolated(of_.dt, rule_.extrapolation, start_, after, to_.dual);
    } else {
      ledger_->book_stage(tau, before, after, to_.dual, is_touching_);
    }
    before = std::move(after);
    begin = rule_.stages[s].end;
  }
  finish(before);
  return true;
}

bool StepAttempt::looks_back(const StageRule& rule) const {
  return (rule.stage != 0 && rule.step != 0) || rule.previous != 0;
}

// What damping sees of the past. Stages that look at their own beginning only know no more than a
// line about it. Returns what the stage then points to.
Points StepAttempt::look_back(const StageRule& rule, const Motion& before, double tau,
                              Stage& stage) const {
  StageHistory<Points>& past = stage.history;
  if (rule.stage == 0 || looks_back(rule) || !islands_.are_damped()) return {};
  past.step = past.rate = 1;
  past.stage = past.previous = 0;
  past.end = tau;
  past.x = &before.x;
  return stage.x_p - before.x;
}

bool StepAttempt::solve_stage(const StageRule& rule, const Motion& before, double begin,
                              const std::function<bool()>& cancelled, Motion& after) {
  const History history{
      start_.x,           start_.v, start_.a, before.x, before.v, before.a, of_.from.x_previous,
      of_.from.v_previous};
  Stage stage = make_stage(rule, of_.dt, history, of_.settings.gravity);
  of_.model.add_external(stage.h * stage.h, stage.x_tilde);
  const double tau = (rule.end - begin) * of_.dt;
  const Points past = look_back(rule, before, tau, stage);
  if (past.size() != 0) stage.history.v = &past;
  after.x = predictor_(of_.model, before, tau);
  if (is_touching_) after.x = before.x + tau * before.v;
  Points target_v = before.v;
  place_pins(rule.end, after.x, target_v);
  const StageSettings stage_settings{iterations_, of_.settings.tolerance,
                                     of_.settings.stage_solver};
  const bool has_contact = contact_ && rule_.extrapolation == 1;
  if (has_contact) {
    stage_contact_ = {};
    stage_contact_.kinematics = contact_->kinematics(begin, rule.end);
    stage_contact_.known = contact_->touching();
  }
  const StageResult result = islands_.solve(stage, before.x, stage_settings, cancelled, after.x,
                                            to_.dual, has_contact ? &stage_contact_ : nullptr);
  if (result.cancelled) return false;
  record(result);
  set_velocities(stage, before, tau, target_v, after);
  check_finite(after.x);
  if (has_contact) {
    const Stopwatch watch(report_.ms_contact);
    correct(tau, stage.h, before, after);
  }
  return true;
}

// Velocities as contact leaves them; forces of contact are none of those that accelerations tell.
void StepAttempt::correct(double tau, double h, const Motion& before, Motion& after) {
  const std::vector<Contact>& contacts = stage_contact_.contacts;
  VelocityCorrection correction;
  const auto slack = [&](const std::vector<char>& islands) {
    return slack_of(islands, before, after);
  };
  correction = islands_.correct_velocities(
      {before, after, h, tau, of_.dt, of_.settings.gravity, slack}, contacts);
  is_stiff_hit_ = correction.is_stiff_hit && !rule_.takes_stiff_hits;
  if (is_stiff_hit_) return;
  Points velocities;
  if (correction.change.size() != 0) velocities = after.v + correction.change;
  contact_->finish_stage(
      {tau, h, before, after, velocities, correction.impulse, correction.component}, contacts);
  report_.contact = contact_->report();
  report_.contact.ignored = stage_contact_.tangled;
  report_.contact.ignored_place = stage_contact_.tangled_place;
  for (const Contact& contact : contacts)
    for (int k = 0; contact.presses() && k < contact.stencil.count; ++k)
      if (const int i = contact.stencil.point[k]; !of_.model.pinned[i])
        after.a.col(i) -= contact.stencil.weight[k] / of_.model.mass[i] * contact.force;
  if (velocities.size() != 0) after.v = std::move(velocities);
}

// What bodies of islands have less than when the stage began, J.
double StepAttempt::slack_of(const std::vector<char>& islands, const Motion& before,
                             const Motion& after) {
  std::vector<char> bodies(of_.model.body_count(), 0);
  for (int i = 0; i < of_.model.point_count(); ++i)
    if (const int island = islands_.island_of_point(i); island >= 0 && islands[island])
      bodies[of_.model.contact.body_of_point[i]] = 1;
  double slack = 0;
  for (int b = 0; b < of_.model.body_count(); ++b)
    if (bodies[b])
      slack += total_energy(measure(of_.model, before.x, before.v, of_.settings.gravity, b)) -
               total_energy(measure(of_.model, after.x, after.v, of_.settings.gravity, b));
  return slack;
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
  to_.a = last.a;
  to_.x_previous = of_.from.x;
  to_.v_previous = of_.from.v;
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
  report_.contact.impulse -= balance_->limit_touching(to_);
  to_.contact = contact_->memory();
  for (int b = 0; b < of_.model.body_count(); ++b)
    if (of_.model.is_damped[b] && balance_->taken(b) > kForgets) to_.previous_dt = 0;
}

}  // namespace dashpot
