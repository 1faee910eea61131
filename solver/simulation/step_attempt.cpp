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

bool looks_back(const StageRule& rule) {
  return (rule.stage != 0 && rule.step != 0) || rule.previous != 0;
}

bool any_of(const IslandMask& mask) {
  return std::find(mask.begin(), mask.end(), 1) != mask.end();
}

}  // namespace

StepAttempt::StepAttempt(const StepStart& start, const IntegratorRule& rule, bool careful,
                         int iterations, Islands& islands, const IslandMask& stiff)
    : of_(start),
      rule_(rule),
      predictor_{careful, islands.are_damped(), start.model.contact.has_contact()},
      iterations_(iterations),
      islands_(islands),
      touches_(islands.count(), 0),
      touched_(islands.count(), 0),
      stiff_(stiff.empty() ? IslandMask(islands.count(), 0) : stiff),
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
  const IslandMask known = stiff_;
  IslandMask others = stiff_;
  for (char& one : others) one = !one;
  const IntegratorRule touching = touching_rule(rule_), stiff = stiff_hit_rule();
  if (!run_stages({rule_, touching, others}, cancelled)) return false;
  if (stiff_ == known && any_of(known) && !run_stages({stiff, stiff, known}, cancelled))
    return false;
  is_to_be_repeated_ = stiff_ != known;
  if (!is_to_be_repeated_) finish();
  return true;
}

bool StepAttempt::run_stages(const Stages& stages, const std::function<bool()>& cancelled) {
  find_touching();
  resolved_.assign(touches_.size(), 0);
  pushed_ = Points::Zero(3, of_.model.point_count());
  extrapolation_ = stages.own.extrapolation;
  takes_stiff_hits_ = stages.own.takes_stiff_hits;
  ledger_->begin_stages();
  Motion before = start_;
  double begin = 0;
  for (int s = 0; s < stages.own.stage_count; ++s) {
    IslandMask active = stages.active;
    // What has to be repeated anyway need not go on.
    if (!stages.own.takes_stiff_hits)
      for (std::size_t i = 0; i < active.size(); ++i) active[i] = active[i] && !stiff_[i];
    Motion after;
    const StageTask task{stages.own.stages[s], stages.touching.stages[s], before, begin};
    if (!solve_stage(task, active, cancelled, after)) return false;
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

Stage StepAttempt::make_stage_of(const StageRule& rule, const Motion& before,
                                 const Motion& start) const {
  const History history{start.x,  start.v,  start_.a,           before.x,
                        before.v, before.a, of_.from.x_previous, of_.from.v_previous};
  Stage stage = make_stage(rule, of_.dt, history, of_.settings.gravity);
  of_.model.add_external(stage.h * stage.h, stage.x_tilde);
  return stage;
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

// Where iterations begin, and velocities of pins end.
void StepAttempt::set_start(const StageTask& task, const IslandMask& active, Motion& after) const {
  after = task.before;
  Points own = predictor_(of_.model, task.before, tau_of(task.own, task.begin));
  Points own_v = task.before.v;
  place_pins(task.own, false, own, own_v);
  Points touching, touching_v = own_v;
  if (contact_) {
    touching = task.before.x + tau_of(task.touching, task.begin) * task.before.v;
    place_pins(task.touching, true, touching, touching_v);
  }
  for (int i = 0; i < of_.model.point_count(); ++i) {
    const int island = islands_.island_of_point(i);
    if (island >= 0 && !active[island]) continue;
    const bool touches = is_marked(touches_, i);
    after.x.col(i) = touches ? touching.col(i) : own.col(i);
    after.v.col(i) = touches ? touching_v.col(i) : own_v.col(i);
  }
}

// What touches and deforms as stages can tell goes on by its own rule. Impulses of contact are none
// of the motion that a stage looks back at: its past is one that had them from the beginning.
std::vector<char> StepAttempt::choose_stages(const StageTask& task) const {
  const bool can_shift = looks_back(task.own) && task.own.previous == 0 && extrapolation_ == 1;
  std::vector<char> choice(touches_.size(), kOwn);
  for (std::size_t i = 0; i < choice.size(); ++i)
    if (touches_[i]) choice[i] = can_shift && resolved_[i] ? kShifted : kTheta;
  return choice;
}

// after: as set_start() leaves it, on entry.
StageResult StepAttempt::solve_once(const StageTask& task, const IslandMask& active,
                                    const std::function<bool()>& cancelled, Motion& after) {
  const double tau = tau_of(task.touching, task.begin);
  std::vector<Stage> stages{make_stage_of(task.own, task.before, start_)};
  const Points past = look_back(task.own, task.before, tau_of(task.own, task.begin), stages[kOwn]);
  if (past.size() != 0) stages[kOwn].history.v = &past;
  const std::vector<char> choice = choose_stages(task);
  Points theta_past;
  Motion shifted;
  if (contact_) {
    stages.push_back(make_stage_of(task.touching, task.before, start_));
    theta_past = look_back(task.touching, task.before, tau, stages[kTheta]);
    if (theta_past.size() != 0) stages[kTheta].history.v = &theta_past;
    shifted = {start_.x - stages[kOwn].h * pushed_, start_.v + pushed_, {}};
    stages.push_back(make_stage_of(task.own, task.before, shifted));
    stage_contact_ = {};
    stage_contact_.kinematics = contact_->kinematics(task.begin, task.touching.end);
    stage_contact_.known = contact_->touching();
  }
  const bool has_contact = contact_ && (extrapolation_ == 1 || any_of(touches_));
  const StageResult result = islands_.solve(
      {stages, choice}, active, task.before.x,
      {iterations_, of_.settings.tolerance, of_.settings.stage_solver}, cancelled, after.x,
      to_.dual, has_contact ? &stage_contact_ : nullptr);
  if (result.cancelled) return result;
  for (int i = 0; i < of_.model.point_count(); ++i) {
    const int island = islands_.island_of_point(i);
    if (island >= 0 && !active[island]) continue;
    const char chosen = island < 0 ? static_cast<char>(kOwn) : choice[island];
    const Stage& stage = stages[chosen];
    if (of_.model.pinned[i]) {
      const double taken = tau_of(chosen == kOwn ? task.own : task.touching, task.begin);
      after.a.col(i) = (after.v.col(i) - task.before.v.col(i)) / taken;
    } else {
      after.v.col(i) = (after.x.col(i) - stage.x_p.col(i)) / stage.h;
      after.a.col(i) = (after.v.col(i) - stage.v_p.col(i)) / stage.h;
    }
  }
  return result;
}

// Islands that touch now and did not before take the stage for it from now on. True if what they
// did is another: what looks back farther than to its beginning would see the touch as motion, and
// what ends a step beyond its last stage cannot know what happens there.
bool StepAttempt::promote(const StageTask& task, const Motion& after) {
  IslandMask press(touches_.size(), 0);
  if (extrapolation_ != 1) {
    Points end = after.x;
    for (int i = 0; i < of_.model.point_count(); ++i)
      if (!is_marked(touches_, i))
        end.col(i) = start_.x.col(i) + extrapolation_ * (end.col(i) - start_.x.col(i));
    StageContact whole;
    whole.kinematics = contact_->kinematics(0, 1);
    press = islands_.find_touched(whole, start_.x, end);
  }
  for (const Contact& contact : stage_contact_.contacts)
    for (int k = 0; k < contact.stencil.count; ++k)
      if (const int i = islands_.island_of_point(contact.stencil.point[k]); i >= 0)
        press[i] = press[i] || contact.presses();
  bool is_new = false;
  for (std::size_t i = 0; i < press.size(); ++i) is_new = is_new || (press[i] && !touches_[i]);
  if (!is_new) return false;
  if (extrapolation_ == 1) {
    const IslandMask resolved = islands_.find_resolved(
        corrected_stage(task, after, [](const IslandMask&) { return 0.0; }),
        stage_contact_.contacts);
    is_new = false;
    for (std::size_t i = 0; i < press.size(); ++i) {
      if (touches_[i] || !press[i]) continue;
      resolved_[i] = resolved[i];
      is_new = is_new || !resolved[i] || task.own.previous != 0;
    }
  }
  for (std::size_t i = 0; i < press.size(); ++i) touches_[i] = touches_[i] || press[i];
  return is_new && (looks_back(task.own) || extrapolation_ != 1);
}

// What is hit stiffly, and all that may touch it, is to take other stages; so is what may touch
// islands that take others already.
void StepAttempt::spread_stiffness(const IslandMask& active, const IslandMask& hit) {
  const std::vector<int>& group = stage_contact_.group_of;
  IslandMask is_split(group.size(), 0), has_active = is_split, has_other = is_split;
  for (std::size_t i = 0; i < group.size(); ++i) {
    (active[i] ? has_active : has_other)[group[i]] = 1;
    if (hit[i]) is_split[group[i]] = 1;
  }
  for (std::size_t i = 0; i < group.size(); ++i)
    if (is_split[group[i]] || (has_active[group[i]] && has_other[group[i]])) stiff_[i] = 1;
}

bool StepAttempt::solve_stage(const StageTask& task, const IslandMask& active,
                              const std::function<bool()>& cancelled, Motion& after) {
  const std::vector<double> dual = contact_ ? to_.dual : std::vector<double>();
  StageResult result;
  for (bool again = true; again;) {
    set_start(task, active, after);
    result = solve_once(task, active, cancelled, after);
    if (result.cancelled) return false;
    again = contact_ && promote(task, after);
    if (!again) break;
    // Others end where they did: they start alike.
    to_.dual = dual;
    report_.iterations += result.iterations;
  }
  record(result);
  check_finite(after.x);
  if (contact_ && !stage_contact_.group_of.empty()) {
    const Stopwatch watch(report_.ms_contact);
    correct(task, active, after);
  }
  return true;
}

// Velocities as contact leaves them; forces of contact are none of those that accelerations tell.
void StepAttempt::correct(const StageTask& task, const IslandMask& active, Motion& after) {
  const std::vector<Contact>& contacts = stage_contact_.contacts;
  const auto slack = [&](const IslandMask& islands) {
    return slack_of(islands, task.before, after);
  };
  const CorrectedStage stage = corrected_stage(task, after, slack);
  const VelocityCorrection correction = islands_.correct_velocities(stage, contacts);
  for (std::size_t i = 0; i < resolved_.size(); ++i)
    if (active[i]) resolved_[i] = correction.is_resolved[i];
  const IslandMask none(touches_.size(), 0);
  spread_stiffness(active, takes_stiff_hits_ ? none : correction.hit_stiffly);
  Points velocities;
  if (correction.change.size() != 0) velocities = after.v + correction.change;
  std::vector<char> took_part;
  for (int i = 0; i < of_.model.point_count(); ++i) took_part.push_back(is_marked(active, i));
  contact_->finish_stage({stage.tau, stage.h, task.before, after, velocities, correction.impulse,
                          correction.component, took_part},
                         contacts);
  report_.contact = contact_->report();
  report_.contact.ignored = stage_contact_.tangled;
  report_.contact.ignored_place = stage_contact_.tangled_place;
  for (const Contact& contact : contacts)
    for (int k = 0; contact.presses() && k < contact.stencil.count; ++k)
      if (const int i = contact.stencil.point[k]; !of_.model.pinned[i]) {
        const Vec3 pushed = contact.stencil.weight[k] / of_.model.mass[i] * contact.force;
        after.a.col(i) -= pushed;
        pushed_.col(i) += stage.h * pushed;
      }
  if (velocities.size() == 0) return;
  pushed_ += correction.change;
  after.v = std::move(velocities);
}

CorrectedStage StepAttempt::corrected_stage(
    const StageTask& task, const Motion& after,
    const std::function<double(const IslandMask&)>& slack) const {
  return {task.before,
          after,
          task.touching.alpha * of_.dt,
          tau_of(task.touching, task.begin),
          of_.dt,
          of_.settings.gravity,
          slack};
}

// What islands have less than when the stage began, J.
double StepAttempt::slack_of(const IslandMask& islands, const Motion& before, const Motion& after) {
  double slack = islands_.elastic_energy(before.x, islands) -
                 islands_.elastic_energy(after.x, islands);
  for (int i = 0; i < of_.model.point_count(); ++i)
    if (is_marked(islands, i))
      slack += of_.model.mass[i] *
               (0.5 * (before.v.col(i).squaredNorm() - after.v.col(i).squaredNorm()) +
                of_.settings.gravity.dot(after.x.col(i) - before.x.col(i)));
  return slack;
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

// Elastic forces of what was hit stiffly change faster than steps can tell: the next one starts
// without them.
void StepAttempt::forget_ringing() {
  if (!any_of(stiff_)) return;
  Points loads = Points::Zero(3, of_.model.point_count());
  loads.colwise() += of_.settings.gravity;
  of_.model.add_external(1, loads);
  for (int i = 0; i < of_.model.point_count(); ++i)
    if (is_marked(stiff_, i) && !of_.model.pinned[i]) to_.a.col(i) = loads.col(i);
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
  EnergyBalance::PointMask touching;
  for (int i = 0; i < of_.model.point_count(); ++i) touching.push_back(is_marked(touched_, i));
  if (!any_of(touched_)) touching.clear();
  report_.contact.impulse -= balance_->limit_touching(touching, to_);
  to_.contact = contact_->memory();
  for (int b = 0; b < of_.model.body_count(); ++b)
    if (of_.model.is_damped[b] && balance_->taken(b) > kForgets) to_.previous_dt = 0;
}

}  // namespace dashpot
