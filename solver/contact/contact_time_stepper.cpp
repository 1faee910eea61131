#include "solver/contact/contact_time_stepper.h"

#include <algorithm>
#include <cmath>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

// Velocities jump if contact changes them by more than this share of what gravity does in a step.
constexpr double kJump = 1e-3;

}  // namespace

ContactTimeStepper::ContactTimeStepper(const ContactModel& model, const ContactMasses& points,
                                       const ContactStep& step, const ContactMemory& memory)
    : model_(model), points_(points), step_(step), flows_(model.body_count) {
  impulses_.last = memory.impulse;
  impulses_.last_normal = memory.normal_impulse;
  for (const ContactMemory::Touching& touching : memory.touching) {
    Contact contact;
    contact.site = model.vertex_at(touching.point);
    contact.collider = touching.collider;
    contact.force = touching.force;
    contact.next_step_force = touching.next_step_force;
    contact.plane.normal = touching.normal;
    contacts_.push_back(contact);
    flows_[model.body_of_vertex[contact.site]].touched = true;
  }
}

ContactMemory ContactTimeStepper::memory(const Vec3& impulse) const {
  ContactMemory memory;
  // As the next step will see it, which looks back at the history that was made up.
  memory.impulse = impulse - impulses_.history;
  memory.normal_impulse = report_.normal_impulse;
  for (const SceneCollider& collider : model_.colliders)
    memory.colliders.push_back(collider.collider.name);
  for (const Contact& contact : contacts_)
    memory.touching.push_back({model_.vertices[contact.site].point, contact.collider, contact.force,
                               contact.next_step_force, contact.plane.normal});
  return memory;
}

bool ContactTimeStepper::touches() const {
  return std::any_of(flows_.begin(), flows_.end(), [](const BodyFlow& f) { return f.touched; });
}

ContactState ContactTimeStepper::prepare(const StageRule& rule, double begin, double end,
                                         double extrapolation) const {
  ContactState contact;
  ColliderKinematics& stage = contact.kinematics;
  stage.begin = step_.time + begin * step_.dt;
  stage.end = step_.time + (begin + extrapolation * (end - begin)) * step_.dt;
  stage.h = rule.alpha * step_.dt;
  stage.extrapolation = extrapolation;
  for (const SceneCollider& collider : model_.colliders) {
    ColliderMotion motion;
    motion.begin = pose_at(collider.motion, stage.begin);
    motion.end = pose_at(collider.motion, stage.end);
    if (!collider.motion.empty()) {
      motion.ahead = 1e-4 * step_.dt;
      motion.later = pose_at(collider.motion, stage.end + motion.ahead);
    }
    const RigidPose start = pose_at(collider.motion, step_.time);
    motion.past.add(rule.step, start);
    motion.past.add(rule.stage, motion.begin);
    if (rule.previous != 0)
      motion.past.add(rule.previous, pose_at(collider.motion, step_.time - step_.previous_dt));
    motion.past.add_rate(rule.rate * step_.dt, start);
    stage.motion.push_back(motion);
  }
  contact.contacts = contacts_;
  return contact;
}

// The speed that restitution gives back, from the speed at the moment of the hit: what happens
// between it and the end of the stage must not count.
std::vector<double> ContactTimeStepper::bounces(const ContactState& contact,
                                                const Motion& before) const {
  std::vector<double> bounce(contact.contacts.size(), 0.0);
  const double slowest = step_.gravity.norm() * step_.dt;
  for (std::size_t r = 0; r < bounce.size(); ++r) {
    const Contact& row = contact.contacts[r];
    const double restitution = model_.colliders[row.collider].collider.restitution;
    if (restitution == 0 || row.held || row.force.isZero(0)) continue;
    const int point = model_.vertices[row.site].point;
    const Vec3& n = row.plane.normal;
    const double speed = n.dot(row.velocity - before.v.col(point));
    const double way = std::max(0.0, n.dot(before.x.col(point)) - row.plane.offset);
    const double squared = speed * std::abs(speed) - 2 * way * n.dot(step_.gravity);
    if (squared > slowest * slowest) bounce[r] = restitution * std::sqrt(squared);
  }
  return bounce;
}

void ContactTimeStepper::finish_stage(const StageRule& rule, double begin, double extrapolation,
                                      const Motion& before, VelocityContacts& solver,
                                      ContactState& contact, Motion& after) {
  const ContactState solved = contact;
  const Motion stage = after;
  const std::vector<double> bounce = bounces(solved, before);
  solver.solve_velocity_contacts(contact.kinematics.h, extrapolation, after.x, bounce, contact,
                                 after.v);
  velocity_jump_ = after.v - stage.v;
  note_jump();
  const Points drag = drag_change(stage.v, after.v);
  after.a += drag;
  solver.solve_acceleration_contacts(contact.kinematics.h, after.v, contact, after.a);
  acceleration_jump_ = after.a - stage.a - drag;
  book(rule, begin, solved, contact, before, after);
  contacts_.clear();
  for (std::size_t r = 0; r < contact.contacts.size(); ++r) {
    const Contact& row = contact.contacts[r];
    if (row.force.isZero(0) && solved.contacts[r].force.isZero(0)) continue;
    contacts_.push_back(row);
    if (bounce[r] != 0) contacts_.back().force.setZero();  // it is on its way
  }
}

// What the jump of velocities adds to accelerations through drag. Not through damping: the strain
// rates of points that contact stopped one by one are those of no stage, and the accelerations of a
// stage hold its own damping already.
Points ContactTimeStepper::drag_change(const Points& before, const Points& after) const {
  Points change = Points::Zero(3, before.cols());
  if (!jumped_) return change;
  for (int i = 0; i < static_cast<int>(points_.mass.size()); ++i)
    if (!points_.pinned[i])
      change.col(i) = points_.drag[i] / points_.mass[i] * (before.col(i) - after.col(i));
  return change;
}

void ContactTimeStepper::note_jump() {
  const double least = kJump * step_.gravity.norm() * step_.dt;
  jumped_ = jumped_ || (velocity_jump_.array().abs() > least).any();
}

void ContactTimeStepper::book(const StageRule& rule, double begin, const ContactState& solved,
                              const ContactState& settled, const Motion& before,
                              const Motion& after) {
  const double k = solved.kinematics.extrapolation, kh = k * solved.kinematics.h;
  const double tau = solved.kinematics.end - solved.kinematics.begin;
  const bool averages = rule.alpha * step_.dt < 0.999 * tau;  // forces of both ends count
  Vec3 end_impulse = Vec3::Zero(), start_force = Vec3::Zero();
  double end_normal = 0, start_normal = 0;
  report_.contacts = 0;
  for (std::size_t r = 0; r < solved.contacts.size(); ++r) {
    const Contact& row = solved.contacts[r];
    const Contact& kept = settled.contacts[r];
    if (row.force.isZero(0) && kept.force.isZero(0)) continue;
    const Vec3& n = row.plane.normal;
    end_impulse += kh * kept.force;
    end_normal += kh * n.dot(kept.force);
    report_.contacts += !kept.force.isZero(0);
    const double pressure = n.dot(row.force);
    if (row.plane.friction > 0 && pressure > 0)
      report_.friction_use = std::max(report_.friction_use, (row.force - pressure * n).norm() /
                                                                (row.plane.friction * pressure));
    const auto known = std::find_if(contacts_.begin(), contacts_.end(), [&](const Contact& old) {
      return old.site == row.site && old.collider == row.collider;
    });
    const Vec3 first = known == contacts_.end() ? Vec3::Zero().eval() : known->next_step_force;
    const Vec3 force = averages ? Vec3(0.5 * (first + row.force)) : row.force;
    const int point = model_.vertices[row.site].point;
    const ColliderMotion& motion = solved.kinematics.motion[row.collider];
    const Vec3 from = before.x.col(point);
    const Vec3 carried = motion.end.to_world(motion.begin.to_own(from)) - from +
                         tau * (row.velocity - motion.end.velocity_at(from));
    BodyFlow& flow = flows_[model_.body_of_vertex[row.site]];
    flow.touched = true;
    flow.work += force.dot(carried) + kh * (kept.force - row.force).dot(row.velocity);
    const Vec3 slip = Vec3(after.x.col(point)) - from - carried;
    const Vec3 along = slip - n.dot(slip) * n;
    flow.rubbed -= force.dot(along);
  }
  for (const Contact& row : contacts_) {
    start_force += row.next_step_force;
    start_normal += row.plane.normal.dot(row.next_step_force);
  }
  if (begin == 0) impulses_.stage = Vec3::Zero(), impulses_.stage_normal = 0;
  // The rule that makes v_p, applied to what contact has added to momentum since the step began.
  report_.impulse = rule.stage * impulses_.stage + rule.step * impulses_.history -
                    rule.previous * impulses_.last + rule.rate * step_.dt * start_force +
                    end_impulse;
  report_.normal_impulse = rule.stage * impulses_.stage_normal -
                           rule.previous * impulses_.last_normal +
                           rule.rate * step_.dt * start_normal + end_normal;
  impulses_.stage = report_.impulse;
  impulses_.stage_normal = report_.normal_impulse;
}

// Had there been no jump, x^n = x - h v - (ago - h) v^n and v^n = v - h a - (what was before); the
// same with what v and a have become.
void ContactTimeStepper::restart_history(double h, double ago, Points& x, Points& v) {
  for (int i = 0; i < static_cast<int>(points_.mass.size()); ++i) {
    const Vec3 change = velocity_jump_.col(i) - h * acceleration_jump_.col(i);
    impulses_.history += points_.mass[i] * change;
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
void visit_depths(const ContactModel& model, double time, const Points& x, const Visit& visit) {
  for (const SceneCollider& collider : model.colliders) {
    const RigidPose pose = pose_at(collider.motion, time);
    std::vector<ContactPath> paths;
    for (const ContactVertex& site : model.vertices) {
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

double deepest_penetration(const ContactModel& model, double time, const Points& x) {
  double deepest = 0;
  visit_depths(model, time, x, [&](double distance) { deepest = std::max(deepest, -distance); });
  return deepest;
}

bool touches_collider(const ContactModel& model, double time, const Points& x, double reach) {
  bool touching = false;
  visit_depths(model, time, x, [&](double distance) { touching = touching || distance < reach; });
  return touching;
}

}  // namespace dashpot
