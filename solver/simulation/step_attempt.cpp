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

StiffHits expected_hits(const State& from, const Islands& islands) {
  StiffHits expected;
  expected.takes.assign(islands.count(), 0);
  for (const ContactMemory::Touching& touching : from.contact.touching)
    for (int k = 0; touching.is_struck && k < touching.stencil.count; ++k)
      if (const int i = islands.island_of_point(touching.stencil.point[k]); i >= 0)
        expected.takes[i] = 1;
  return expected;
}

StepAttempt::StepAttempt(const StepStart& start, const IntegratorRule& rule, bool careful,
                         int iterations, Islands& islands, const StiffHits& stiff)
    : of_(start),
      rule_(rule),
      predictor_{careful, islands.are_damped(), start.model.contact.has_contact()},
      iterations_(iterations),
      islands_(islands),
      touches_(islands.count(), 0),
      touched_(islands.count(), 0),
      stiff_(stiff),
      start_{start.from.x, start.from.v, start.from.a},
      to_(start.from) {
  stiff_.takes.resize(touches_.size(), 0);
  stiff_.is_hit.resize(touches_.size(), 0);
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

// What touched when the step began.
void StepAttempt::find_touching() {
  std::fill(touches_.begin(), touches_.end(), 0);
  if (!contact_) return;
  for (const ContactMemory::Touching& touching : contact_->touching())
    for (int k = 0; k < touching.stencil.count; ++k)
      if (const int i = islands_.island_of_point(touching.stencil.point[k]); i >= 0)
        touches_[i] = 1;
}

bool StepAttempt::run(const std::function<bool()>& cancelled) {
  const IslandMask known = stiff_.takes;
  IslandMask others = known;
  for (char& one : others) one = !one;
  const IntegratorRule touching = touching_rule(rule_), stiff = stiff_hit_rule();
  if (!run_stages({rule_, touching, others}, cancelled)) return false;
  if (stiff_.takes == known && is_any(known) && !run_stages({stiff, stiff, known}, cancelled))
    return false;
  is_to_be_repeated_ = stiff_.takes != known;
  if (!is_to_be_repeated_) finish();
  return true;
}

bool StepAttempt::run_stages(const Stages& stages, const std::function<bool()>& cancelled) {
  find_touching();
  resolved_.assign(touches_.size(), 0);
  pushed_ = struck_ = Points::Zero(3, of_.model.point_count());
  extrapolation_ = stages.own.extrapolation;
  takes_stiff_hits_ = stages.own.takes_stiff_hits;
  ledger_->begin_stages();
  Motion before = start_;
  double begin = 0;
  for (int s = 0; s < stages.own.stage_count; ++s) {
    IslandMask active = stages.active;
    leave_out_repeated(active);
    Motion after;
    const StageTask task{stages.own.stages[s], stages.touching.stages[s], before, begin};
    if (!solve_stage(task, cancelled, active, after)) return false;
    if (!is_any(active) && is_any(stages.active)) return true;
    book(task, active, after);
    for (std::size_t i = 0; i < touched_.size(); ++i) touched_[i] = touched_[i] || touches_[i];
    before = std::move(after);
    begin = stages.own.stages[s].end;
  }
  keep_end(stages, before);
  return true;
}

void StepAttempt::book(const StageTask& task, const IslandMask& active, const Motion& after) {
  if (extrapolation_ == 1)
    return ledger_->book_stage(tau_of(task.own, task.begin), task.before, after, to_.dual, active,
                               touches_);
  IslandMask whole = active, half = active;
  for (std::size_t i = 0; i < active.size(); ++i) {
    whole[i] = active[i] && touches_[i];
    half[i] = active[i] && !touches_[i];
  }
  ledger_->book_extrapolated(of_.dt, extrapolation_, start_, after, to_.dual, half);
  ledger_->book_stage(tau_of(task.touching, task.begin), task.before, after, to_.dual, whole,
                      touches_);
}

void StepAttempt::check_finite(const Points& points) const {
  if (points.allFinite()) return;
  throw SimulationError("the step at " + std::to_string(of_.from.time) +
                        " s did not stay finite; raise substeps or use backwardeuler.");
}

// Targets when a stage ends. A midpoint stage is placed so that its extrapolation hits the target
// at the end of the step exactly.
void StepAttempt::place_pins(const StageRule& rule, bool touching, Points& x, Points& v) const {
  if (extrapolation_ == 1 || touching) {
    of_.model.place_pins(of_.from.time + rule.end * of_.dt, x, v);
  } else {
    of_.model.place_pins(of_.from.time + of_.dt, x, v);
    for (const auto& set : of_.model.pins)
      for (int i : set.points) {
        x.col(i) = start_.x.col(i) + (x.col(i) - start_.x.col(i)) / extrapolation_;
        v.col(i) = start_.v.col(i) + (v.col(i) - start_.v.col(i)) / extrapolation_;
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

// Where the stages of some islands lead.
void StepAttempt::keep_end(const Stages& stages, const Motion& last) {
  for (int i = 0; i < of_.model.point_count(); ++i) {
    const int island = islands_.island_of_point(i);
    if (island < 0 ? stages.own.takes_stiff_hits : !stages.active[island]) continue;
    const double k = is_marked(touches_, i) ? 1 : extrapolation_;
    to_.x.col(i) = k == 1 ? Vec3(last.x.col(i))
                          : Vec3(of_.from.x.col(i) + k * (last.x.col(i) - of_.from.x.col(i)));
    to_.v.col(i) = k == 1 ? Vec3(last.v.col(i))
                          : Vec3(of_.from.v.col(i) + k * (last.v.col(i) - of_.from.v.col(i)));
    to_.a.col(i) = last.a.col(i);
  }
}

// m/s^2
Points StepAttempt::accelerations_of_loads() const {
  Points loads = Points::Zero(3, of_.model.point_count());
  loads.colwise() += of_.settings.gravity;
  of_.model.add_external(1, loads);
  return loads;
}

// Elastic forces of what was hit stiffly change faster than steps can tell: the next one starts
// without them.
void StepAttempt::forget_ringing() {
  if (!is_any(stiff_.is_hit)) return;
  const Points loads = accelerations_of_loads();
  for (int i = 0; i < of_.model.point_count(); ++i)
    if (is_marked(stiff_.is_hit, i) && !of_.model.pinned[i]) to_.a.col(i) = loads.col(i);
}

void StepAttempt::finish() {
  forget_ringing();
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
  // Pieces of a body that touch nothing are not to answer for those that do.
  EnergyBalance::PointMask touching(static_cast<std::size_t>(of_.model.point_count()));
  for (int i = 0; i < of_.model.point_count(); ++i) touching[i] = is_marked(touched_, i);
  if (!is_any(touched_)) touching.clear();
  report_.contact.impulse -= balance_->limit_touching(touching, to_);
  to_.contact = contact_->memory();
  for (ContactMemory::Touching& touching : to_.contact.touching)
    touching.is_struck = std::any_of(touching.stencil.point.begin(),
                                     touching.stencil.point.begin() + touching.stencil.count,
                                     [&](int point) { return is_marked(stiff_.is_hit, point); });
  for (int b = 0; b < of_.model.body_count(); ++b)
    if (of_.model.is_damped[b] && balance_->taken(b) > kForgets) to_.previous_dt = 0;
}

}  // namespace dashpot
