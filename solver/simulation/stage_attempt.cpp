// The stages of a StepAttempt, and what contact does in them.
#include <algorithm>
#include <utility>

#include "solver/base/stopwatch.h"
#include "solver/simulation/free_groups.h"
#include "solver/simulation/step_attempt.h"

namespace dashpot {
namespace {

bool looks_back(const StageRule& rule) {
  return (rule.stage != 0 && rule.step != 0) || rule.previous != 0;
}

}  // namespace

Stage StepAttempt::make_stage_of(const StageRule& rule, const Motion& before,
                                 const Motion& start) const {
  const History history{start.x,
                        start.v,
                        start_.a,
                        before.x,
                        before.v,
                        before.a,
                        of_.from.x_previous,
                        of_.from.v_previous};
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
  bool any_own = false;  // else nobody asks where forces at the beginning lead
  for (std::size_t i = 0; i < active.size(); ++i) any_own = any_own || (active[i] && !touches_[i]);
  const double tau = tau_of(task.own, task.begin);
  Points own = any_own ? predictor_(of_.model, task.before, tau)
                       : Points(task.before.x + tau * task.before.v);
  Points own_v = task.before.v;
  place_pins(task.own, false, own, own_v);
  Points touching, touching_v = own_v;
  if (is_any(touches_)) {
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
  if (is_any(touches_)) {
    stages.push_back(make_stage_of(task.touching, task.before, start_));
    theta_past = look_back(task.touching, task.before, tau, stages[kTheta]);
    if (theta_past.size() != 0) stages[kTheta].history.v = &theta_past;
    shifted = {start_.x - stages[kOwn].h * struck_, start_.v + pushed_, {}};
    stages.push_back(make_stage_of(task.own, task.before, shifted));
  }
  if (contact_) {
    stage_contact_ = {};
    stage_contact_.kinematics = contact_->kinematics(task.begin, task.touching.end);
    stage_contact_.known = contact_->touching(tau, task.touching.alpha * of_.dt);
  }
  const bool has_contact = contact_ && is_any(active) && (extrapolation_ == 1 || is_any(touches_));
  const StageResult result =
      islands_.solve({stages, choice}, active, task.before.x,
                     {iterations_, of_.settings.tolerance, of_.settings.stage_solver}, cancelled,
                     after.x, to_.dual, has_contact ? &stage_contact_ : nullptr);
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
  stop_cut_islands(task, after);
  return result;
}

// What was cut back says nothing about velocities and forces at its end but where it got to.
void StepAttempt::stop_cut_islands(const StageTask& task, Motion& after) const {
  const IslandMask& cut = stage_contact_.cut;
  if (!contact_ || cut.empty() || !is_any(cut)) return;
  const Points loads = accelerations_of_loads();
  const double tau = tau_of(task.touching, task.begin);
  for (int i = 0; i < of_.model.point_count(); ++i) {
    if (!is_marked(cut, i) || of_.model.pinned[i]) continue;
    after.v.col(i) = (after.x.col(i) - task.before.x.col(i)) / tau;
    after.a.col(i) = loads.col(i);
  }
}

// Islands that touch now and did not before take the stage for it from now on. True if what they
// did is another: what looks back farther than to its beginning would see the touch as motion, and
// what ends a step beyond its last stage cannot know what happens there.
bool StepAttempt::promote(const StageTask& task, const IslandMask& active, const Motion& after) {
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
    const HitAnswer answer =
        islands_.answer_to_hits(corrected_stage(task, after, [](const IslandMask&) { return 0.0; }),
                                stage_contact_.contacts);
    if (!takes_stiff_hits_) spread_stiffness(active, answer.hit_stiffly);
    is_new = false;
    for (std::size_t i = 0; i < press.size(); ++i) {
      if (touches_[i] || !press[i]) continue;
      resolved_[i] = answer.is_resolved[i];
      is_new = is_new || !resolved_[i] || task.own.previous != 0;
    }
  }
  for (std::size_t i = 0; i < press.size(); ++i) touches_[i] = touches_[i] || press[i];
  return is_new && (looks_back(task.own) || extrapolation_ != 1);
}

// What is hit stiffly, and all that may touch it, is to take other stages; so is what may touch
// islands that take others already.
void StepAttempt::spread_stiffness(const IslandMask& active, const IslandMask& hit) {
  const std::vector<int>& group = stage_contact_.group_of;
  IslandMask is_hit(group.size(), 0), has_active = is_hit, has_other = is_hit;
  for (std::size_t i = 0; i < group.size(); ++i) {
    (active[i] ? has_active : has_other)[group[i]] = 1;
    if (hit[i] || stiff_.is_hit[i]) is_hit[group[i]] = 1;
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (is_hit[group[i]]) stiff_.is_hit[i] = 1;
    if (is_hit[group[i]] || (has_active[group[i]] && has_other[group[i]])) stiff_.takes[i] = 1;
  }
}

// What has to be repeated anyway need not go on.
void StepAttempt::leave_out_repeated(IslandMask& active) const {
  if (takes_stiff_hits_) return;
  for (std::size_t i = 0; i < active.size(); ++i) active[i] = active[i] && !stiff_.takes[i];
}

bool StepAttempt::solve_stage(const StageTask& task, const std::function<bool()>& cancelled,
                              IslandMask& active, Motion& after) {
  const std::vector<double> dual = contact_ ? to_.dual : std::vector<double>();
  for (;;) {
    set_start(task, active, after);
    const StageResult result = solve_once(task, active, cancelled, after);
    if (result.cancelled) return false;
    if (!contact_ || !promote(task, active, after)) {
      record(result);
      break;
    }
    leave_out_repeated(active);
    // Others end where they did: they start alike.
    to_.dual = dual;
    report_.iterations += result.iterations;
  }
  check_finite(after.x);
  if (contact_ && !stage_contact_.group_of.empty()) {
    const Stopwatch watch(report_.ms_contact);
    correct(task, active, after);
  }
  return true;
}

// Of bodies that met something in an earlier step. Midpoint stages end elsewhere.
IslandMask StepAttempt::islands_hit_before() const {
  IslandMask hit(touches_.size(), 0);
  if (extrapolation_ != 1) return hit;
  for (const int body : of_.from.contact.met)
    for (int i = of_.model.point_offset[body]; i < of_.model.point_offset[body + 1]; ++i)
      if (const int island = islands_.island_of_point(i); island >= 0) hit[island] = 1;
  return hit;
}

// Velocities as contact leaves them; forces of contact are none of those that accelerations tell.
void StepAttempt::correct(const StageTask& task, const IslandMask& active, Motion& after) {
  const std::vector<Contact>& contacts = stage_contact_.contacts;
  const auto slack = [&](const IslandMask& islands) {
    return slack_of(islands, task.before, after);
  };
  if (extrapolation_ != 1) stage_contact_.in_contact.assign(active.size(), 0);  // ends elsewhere
  const CorrectedStage stage = corrected_stage(task, after, slack);
  keep_momenta(of_.model, islands_, stage, stage_contact_, active, islands_hit_before(), after);
  const VelocityCorrection correction = islands_.correct_velocities(stage, contacts);
  for (std::size_t i = 0; i < resolved_.size(); ++i)
    if (active[i]) resolved_[i] = correction.answer.is_resolved[i] && !stage_contact_.cut[i];
  spread_stiffness(active, correction.answer.hit_stiffly);
  Points velocities;
  if (correction.change.size() != 0) velocities = after.v + correction.change;
  std::vector<char> took_part(static_cast<std::size_t>(of_.model.point_count()));
  for (int i = 0; i < of_.model.point_count(); ++i) took_part[i] = is_marked(active, i);
  contact_->finish_stage({stage.tau, stage.h, task.before, after, velocities, correction.impulse,
                          correction.component, took_part},
                         contacts);
  report_.contact = contact_->report();
  report_.contact.ignored = stage_contact_.tangled;
  report_.contact.ignored_place = stage_contact_.tangled_place;
  for (const Contact& contact : contacts)
    for (int k = 0; contact.presses() && k < contact.stencil.count; ++k)
      if (const int i = contact.stencil.point[k]; !of_.model.pinned[i]) {
        if (is_marked(stage_contact_.cut, i)) continue;
        const Vec3 pushed = contact.stencil.weight[k] / of_.model.mass[i] * contact.force;
        after.a.col(i) -= pushed;
        pushed_.col(i) += stage.h * pushed;
        if (!contact.held) struck_.col(i) += stage.h * pushed;
      }
  if (velocities.size() == 0) return;
  pushed_ += correction.change;
  struck_ += correction.change;
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
  double slack =
      islands_.elastic_energy(before.x, islands) - islands_.elastic_energy(after.x, islands);
  for (int i = 0; i < of_.model.point_count(); ++i)
    if (is_marked(islands, i))
      slack += of_.model.mass[i] *
               (0.5 * (before.v.col(i).squaredNorm() - after.v.col(i).squaredNorm()) +
                of_.settings.gravity.dot(after.x.col(i) - before.x.col(i)));
  return slack;
}

}  // namespace dashpot
