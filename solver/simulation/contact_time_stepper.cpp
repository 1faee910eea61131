#include "solver/simulation/contact_time_stepper.h"

#include <algorithm>
#include <cmath>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

// Velocities jump if contact changes them by more than this share of what gravity does in a step.
constexpr double kJump = 1e-3;

constexpr int kNumbersPerRow = 11;  // of State::contact, after kTotals
constexpr int kTotals = 4;

}  // namespace

ContactTimeStepper::ContactTimeStepper(const SimulationModel& system, const Vec3& gravity,
                                       double dt, const State& from)
    : system_(system),
      gravity_(gravity),
      dt_(dt),
      time_(from.time),
      previous_dt_(from.previous_dt),
      flows_(system.body_count()) {
  std::size_t body = 0;
  for (const ContactVertex& site : system.sites) {
    while (site.point >= system.point_offset[body + 1]) ++body;
    body_of_site_.push_back(static_cast<int>(body));
  }
  const std::vector<double>& saved = from.contact;
  if (saved.empty()) return;
  last_impulse_ = Vec3::Map(saved.data());
  last_normal_impulse_ = saved[3];
  for (std::size_t at = kTotals; at + kNumbersPerRow <= saved.size(); at += kNumbersPerRow) {
    Contact row;
    row.site = static_cast<int>(saved[at]);
    row.collider = static_cast<int>(saved[at + 1]);
    row.force = Vec3::Map(&saved[at + 2]);
    row.next_step_force = Vec3::Map(&saved[at + 5]);
    row.plane.normal = Vec3::Map(&saved[at + 8]);
    rows_.push_back(row);
    flows_[body_of_site_[row.site]].touched = true;
  }
}

std::vector<double> ContactTimeStepper::memory(const Vec3& impulse) const {
  // As the next step will see it, which looks back at the history that was made up.
  const Vec3 seen = impulse - history_impulse_;
  std::vector<double> saved = {seen.x(), seen.y(), seen.z(), report_.normal_impulse};
  for (const Contact& row : rows_) {
    saved.push_back(row.site);
    saved.push_back(row.collider);
    saved.insert(saved.end(), row.force.data(), row.force.data() + 3);
    saved.insert(saved.end(), row.next_step_force.data(), row.next_step_force.data() + 3);
    saved.insert(saved.end(), row.plane.normal.data(), row.plane.normal.data() + 3);
  }
  return saved;
}

bool ContactTimeStepper::touches(const State& state) {
  return state.contact.size() > kTotals;
}

bool ContactTimeStepper::touches() const {
  return std::any_of(flows_.begin(), flows_.end(), [](const BodyFlow& f) { return f.touched; });
}

ContactState ContactTimeStepper::prepare(const StageRule& rule, double begin, double end,
                                         double extrapolation) const {
  ContactState contact;
  ColliderKinematics& stage = contact.stage;
  stage.begin = time_ + begin * dt_;
  stage.end = time_ + (begin + extrapolation * (end - begin)) * dt_;
  stage.h = rule.alpha * dt_;
  stage.extrapolation = extrapolation;
  for (const SceneCollider& collider : system_.colliders) {
    ColliderMotion motion;
    motion.begin = pose_at(collider.motion, stage.begin);
    motion.end = pose_at(collider.motion, stage.end);
    if (!collider.motion.empty()) {
      motion.ahead = 1e-4 * dt_;
      motion.later = pose_at(collider.motion, stage.end + motion.ahead);
    }
    const RigidPose start = pose_at(collider.motion, time_);
    motion.past.add(rule.step, start);
    motion.past.add(rule.stage, motion.begin);
    if (rule.previous != 0)
      motion.past.add(rule.previous, pose_at(collider.motion, time_ - previous_dt_));
    motion.past.add_rate(rule.rate * dt_, start);
    stage.motion.push_back(motion);
  }
  contact.rows = rows_;
  return contact;
}

// The speed that restitution gives back, from the speed at the moment of the hit: what happens
// between it and the end of the stage must not count.
std::vector<double> ContactTimeStepper::bounces(const ContactState& contact,
                                                const Motion& before) const {
  std::vector<double> bounce(contact.rows.size(), 0.0);
  const double slowest = gravity_.norm() * dt_;
  for (std::size_t r = 0; r < bounce.size(); ++r) {
    const Contact& row = contact.rows[r];
    const double restitution = system_.colliders[row.collider].collider.restitution;
    if (restitution == 0 || row.held || row.force.isZero(0)) continue;
    const int point = system_.sites[row.site].point;
    const Vec3& n = row.plane.normal;
    const double speed = n.dot(row.velocity - before.v.col(point));
    const double way = std::max(0.0, n.dot(before.x.col(point)) - row.plane.offset);
    const double squared = speed * std::abs(speed) - 2 * way * n.dot(gravity_);
    if (squared > slowest * slowest) bounce[r] = restitution * std::sqrt(squared);
  }
  return bounce;
}

void ContactTimeStepper::finish_stage(const StageRule& rule, double begin, double extrapolation,
                                      const Motion& before, AdmmSolver& solver,
                                      ContactState& contact, Motion& after) {
  const ContactState solved = contact;
  const Motion stage = after;
  const std::vector<double> bounce = bounces(solved, before);
  solver.solve_velocity_contacts(contact.stage.h, extrapolation, after.x, bounce, contact, after.v);
  velocity_jump_ = after.v - stage.v;
  note_jump();
  const Points drag = drag_change(stage.v, after.v);
  after.a += drag;
  solver.solve_acceleration_contacts(contact.stage.h, after.v, contact, after.a);
  acceleration_jump_ = after.a - stage.a - drag;
  book(rule, begin, solved, contact, before, after);
  rows_.clear();
  for (std::size_t r = 0; r < contact.rows.size(); ++r) {
    const Contact& row = contact.rows[r];
    if (row.force.isZero(0) && solved.rows[r].force.isZero(0)) continue;
    rows_.push_back(row);
    if (bounce[r] != 0) rows_.back().force.setZero();  // it is on its way
  }
}

// What the jump of velocities adds to accelerations through drag. Not through damping: the strain
// rates of points that contact stopped one by one are those of no stage, and the accelerations of a
// stage hold its own damping already.
Points ContactTimeStepper::drag_change(const Points& before, const Points& after) const {
  Points change = Points::Zero(3, before.cols());
  if (!jumped_) return change;
  for (int i = 0; i < system_.point_count(); ++i)
    if (!system_.pinned[i])
      change.col(i) = system_.drag[i] / system_.mass[i] * (before.col(i) - after.col(i));
  return change;
}

void ContactTimeStepper::note_jump() {
  const double least = kJump * gravity_.norm() * dt_;
  jumped_ = jumped_ || (velocity_jump_.array().abs() > least).any();
}

void ContactTimeStepper::book(const StageRule& rule, double begin, const ContactState& solved,
                              const ContactState& settled, const Motion& before,
                              const Motion& after) {
  const double k = solved.stage.extrapolation, kh = k * solved.stage.h;
  const double tau = solved.stage.end - solved.stage.begin;
  const bool averages = rule.alpha * dt_ < 0.999 * tau;  // forces of both ends count
  Vec3 end_impulse = Vec3::Zero(), start_force = Vec3::Zero();
  double end_normal = 0, start_normal = 0;
  report_.contacts = 0;
  for (std::size_t r = 0; r < solved.rows.size(); ++r) {
    const Contact& row = solved.rows[r];
    const Contact& kept = settled.rows[r];
    if (row.force.isZero(0) && kept.force.isZero(0)) continue;
    const Vec3& n = row.plane.normal;
    end_impulse += kh * kept.force;
    end_normal += kh * n.dot(kept.force);
    report_.contacts += !kept.force.isZero(0);
    const double pressure = n.dot(row.force);
    if (row.plane.friction > 0 && pressure > 0)
      report_.friction_use = std::max(report_.friction_use, (row.force - pressure * n).norm() /
                                                                (row.plane.friction * pressure));
    const auto known = std::find_if(rows_.begin(), rows_.end(), [&](const Contact& old) {
      return old.site == row.site && old.collider == row.collider;
    });
    const Vec3 first = known == rows_.end() ? Vec3::Zero().eval() : known->next_step_force;
    const Vec3 force = averages ? Vec3(0.5 * (first + row.force)) : row.force;
    const int point = system_.sites[row.site].point;
    const ColliderMotion& motion = solved.stage.motion[row.collider];
    const Vec3 from = before.x.col(point);
    const Vec3 carried = motion.end.to_world(motion.begin.to_own(from)) - from +
                         tau * (row.velocity - motion.end.velocity_at(from));
    BodyFlow& flow = flows_[body_of_site_[row.site]];
    flow.touched = true;
    flow.work += force.dot(carried) + kh * (kept.force - row.force).dot(row.velocity);
    const Vec3 slip = Vec3(after.x.col(point)) - from - carried;
    const Vec3 along = slip - n.dot(slip) * n;
    flow.rubbed -= force.dot(along);
  }
  for (const Contact& row : rows_) {
    start_force += row.next_step_force;
    start_normal += row.plane.normal.dot(row.next_step_force);
  }
  if (begin == 0) stage_impulse_ = Vec3::Zero(), stage_normal_ = 0;
  // The rule that makes v_p, applied to what contact has added to momentum since the step began.
  report_.impulse = rule.stage * stage_impulse_ + rule.step * history_impulse_ -
                    rule.previous * last_impulse_ + rule.rate * dt_ * start_force + end_impulse;
  report_.normal_impulse = rule.stage * stage_normal_ - rule.previous * last_normal_impulse_ +
                           rule.rate * dt_ * start_normal + end_normal;
  stage_impulse_ = report_.impulse;
  stage_normal_ = report_.normal_impulse;
}

// Had there been no jump, x^n = x - h v - (ago - h) v^n and v^n = v - h a - (what was before); the
// same with what v and a have become.
void ContactTimeStepper::restart_history(double h, double ago, Points& x, Points& v) {
  for (int i = 0; i < system_.point_count(); ++i) {
    const Vec3 change = velocity_jump_.col(i) - h * acceleration_jump_.col(i);
    history_impulse_ += system_.mass[i] * change;
    v.col(i) += change;
    x.col(i) -= h * velocity_jump_.col(i) + (ago - h) * change;
  }
}

void ContactTimeStepper::add_flows(std::vector<BodyFlow>& flows) const {
  for (std::size_t b = 0; b < flows.size(); ++b) {
    flows[b].work += flows_[b].work;
    flows[b].rubbed += flows_[b].rubbed;
    flows[b].touched = flows_[b].touched;
    flows[b].jumped = jumped_;
  }
}

namespace {

// Signed distances of all sites, in order of colliders, then sites; far ones are left out.
template <class Visit>
void visit_depths(const SimulationModel& system, double time, const Points& x, const Visit& visit) {
  for (const SceneCollider& collider : system.colliders) {
    const RigidPose pose = pose_at(collider.motion, time);
    std::vector<ContactPath> paths;
    for (const ContactVertex& site : system.sites) {
      const Vec3 own = pose.to_own(x.col(site.point));
      paths.push_back({own, own});
    }
    std::vector<ContactPlaneQuery> touches(paths.size());
    collider.collider.shape->touch(time, time, paths.data(), paths.size(), touches.data());
    for (std::size_t s = 0; s < paths.size(); ++s)
      if (touches[s].near) visit(touches[s].normal.dot(paths[s].to - touches[s].point));
  }
}

}  // namespace

double deepest_penetration(const SimulationModel& system, double time, const Points& x) {
  double deepest = 0;
  visit_depths(system, time, x, [&](double distance) { deepest = std::max(deepest, -distance); });
  return deepest;
}

bool touches_collider(const SimulationModel& system, double time, const Points& x, double reach) {
  bool touching = false;
  visit_depths(system, time, x, [&](double distance) { touching = touching || distance < reach; });
  return touching;
}

bool ContactTimeStepper::is_valid(const std::vector<double>& memory, std::size_t sites,
                                  std::size_t colliders) {
  if (memory.empty()) return true;
  if (memory.size() < kTotals || (memory.size() - kTotals) % kNumbersPerRow != 0) return false;
  const auto is_below = [](double index, std::size_t count) {
    return index >= 0 && index < static_cast<double>(count) && index == std::floor(index);
  };
  for (std::size_t at = kTotals; at < memory.size(); at += kNumbersPerRow)
    if (!is_below(memory[at], sites) || !is_below(memory[at + 1], colliders)) return false;
  return std::all_of(memory.begin(), memory.end(),
                     [](double number) { return std::isfinite(number); });
}

}  // namespace dashpot
