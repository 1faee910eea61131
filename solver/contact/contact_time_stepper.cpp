#include "solver/contact/contact_time_stepper.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace dashpot {
namespace {

// A friction force that is a smaller part of what pressure allows holds.
constexpr double kSticks = 1 - 1e-7;

struct SplitForce {
  double normal;
  Vec3 along;
};

SplitForce split(const Contact& contact) {
  const double normal = contact.plane.normal.dot(contact.force);
  return {normal, contact.force - normal * contact.plane.normal};
}

bool sticks(const Contact& contact) {
  const SplitForce force = split(contact);
  return force.along.norm() < kSticks * contact.plane.friction * force.normal;
}

}  // namespace

ContactTimeStepper::ContactTimeStepper(const ContactModel& model, const std::vector<double>& mass,
                                       const ContactStep& step, const ContactMemory& memory)
    : model_(model),
      mass_(mass),
      step_(step),
      touching_(memory.touching),
      flows_(model.body_count) {
  for (std::size_t b = 0; b < flows_.size(); ++b) flows_[b].group = static_cast<int>(b);
  for (const ContactMemory::Touching& touching : touching_)
    touch(touching.stencil, touching.id.is_obstacle());
  for (const int body : memory.let_go) flows_[body].let_go = true;
  for (const int body : memory.met) flows_[body].met = true;
}

int ContactTimeStepper::group_of(int body) const {
  while (flows_[body].group != body) body = flows_[body].group;
  return body;
}

// Bodies of a contact belong together from now on, by the least of their numbers.
void ContactTimeStepper::touch(const ContactStencil& stencil, bool is_obstacle) {
  const int first = model_.body_of_point[stencil.point[0]];
  for (int k = 0; k < stencil.count; ++k) {
    const int point = stencil.point[k], body = model_.body_of_point[point];
    flows_[body].touched = true;
    flows_[body].paired = flows_[body].paired || !is_obstacle;
    flows_[body].leans = flows_[body].leans || is_obstacle || model_.rules.fixed[point];
    const int one = group_of(first), other = group_of(body);
    flows_[std::max(one, other)].group = std::min(one, other);
  }
}

std::vector<ContactMemory::Touching> ContactTimeStepper::touching(double tau, double h) const {
  std::vector<ContactMemory::Touching> result = touching_;
  for (ContactMemory::Touching& touching : result) touching.force *= tau / h;
  return result;
}

ColliderKinematics ContactTimeStepper::kinematics(double begin, double end) const {
  ColliderKinematics stage;
  stage.begin = step_.time + begin * step_.dt;
  stage.end = step_.time + end * step_.dt;
  for (const SceneCollider& collider : model_.colliders)
    stage.motion.push_back(
        {pose_at(collider.motion, stage.begin), pose_at(collider.motion, stage.end)});
  return stage;
}

// Impulses are even over the stage: they do work on the way of what they push. What the two sides
// lose to friction and to coming into touch is booked half on each.
void ContactTimeStepper::book_work(const FinishedStage& stage, const Contact& contact) {
  const Vec3 force = (stage.h / stage.tau) * contact.force;
  const ContactStencil& stencil = contact.stencil;
  Vec3 moved = Vec3::Zero();
  for (int k = 0; k < stencil.count; ++k)
    moved += stencil.weight[k] *
             (stage.after.x.col(stencil.point[k]) - stage.before.x.col(stencil.point[k]));
  const double lost = -force.dot(moved - contact.carried);
  std::set<int> bodies;
  for (int k = 0; k < stencil.count; ++k) {
    const int point = stencil.point[k], body = model_.body_of_point[point];
    bodies.insert(body);
    if (model_.rules.fixed[point]) continue;
    flows_[body].work +=
        stencil.weight[k] * force.dot(stage.after.x.col(point) - stage.before.x.col(point));
  }
  touch(stencil, contact.id.is_obstacle());
  if (contact.id.is_obstacle()) {
    BodyFlow& flow = flows_[*bodies.begin()];
    const Vec3 begin = stencil.place(stage.before.x) + contact.carried;
    flow.sunk = flow.sunk || contact.plane.normal.dot(begin) < contact.plane.offset - model_.gap;
    flow.driven = std::max(flow.driven, contact.carried.norm() / stage.tau);
  }
  for (const int body : bodies) {
    BodyFlow& flow = flows_[body];
    flow.work += lost / static_cast<double>(bodies.size());
    flow.rubbed += lost / static_cast<double>(bodies.size());
  }
}

// Impulses at an instant change kinetic energies by what they are found to; moving obstacles do
// work meanwhile, and what is missing of bodies that were corrected together went into the hit.
void ContactTimeStepper::book_correction(const FinishedStage& stage,
                                         const std::vector<Contact>& contacts) {
  struct Sum {
    double work = 0;
    std::set<int> bodies;
  };
  std::map<int, Sum> sums;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (stage.component[c] < 0) continue;
    Sum& sum = sums[stage.component[c]];
    sum.work += stage.impulse[c].dot(contacts[c].velocity);
    for (int k = 0; k < contacts[c].stencil.count; ++k)
      sum.bodies.insert(model_.body_of_point[contacts[c].stencil.point[k]]);
  }
  std::vector<double> gained(flows_.size(), 0.0);
  for (std::size_t i = 0; i < mass_.size(); ++i)
    gained[model_.body_of_point[i]] +=
        0.5 * mass_[i] *
        (stage.velocities.col(i).squaredNorm() - stage.after.v.col(i).squaredNorm());
  for (const auto& [number, sum] : sums) {
    double lost = sum.work;
    for (const int body : sum.bodies) lost -= gained[body];
    for (const int body : sum.bodies) {
      flows_[body].work += gained[body] + lost / static_cast<double>(sum.bodies.size());
      flows_[body].rubbed += lost / static_cast<double>(sum.bodies.size());
      gained[body] = 0;
    }
  }
}

void ContactTimeStepper::add_to_report(const FinishedStage& stage, const Contact& contact,
                                       const Vec3& extra) {
  const SplitForce force = split(contact);
  const Vec3 impulse = stage.h * contact.force + extra;
  const bool is_obstacle = contact.id.is_obstacle();
  report_.normal_impulse += contact.plane.normal.dot(impulse);
  if (is_obstacle) report_.impulse += impulse;
  if (contact.plane.friction > 0 && force.normal > 0)
    report_.friction_use = std::max(report_.friction_use,
                                    force.along.norm() / (contact.plane.friction * force.normal));
  ContactMark mark;
  const int point = contact.stencil.point[0];
  mark.place = stage.after.x.col(point);
  mark.force = stage.h / stage.tau * contact.force;  // its mean
  mark.slips = !sticks(contact);
  mark.body = model_.body_of_point[point];
  const int last = contact.stencil.point[contact.stencil.count - 1];
  mark.other = is_obstacle ? -1 : model_.body_of_point[last];
  mark.collider = is_obstacle ? contact.id.collider() : -1;
  for (int k = 0; k < contact.stencil.count; ++k) {
    mark.points[k] = contact.stencil.point[k];
    mark.weights[k] = contact.stencil.weight[k];
  }
  report_.marks.push_back(mark);
}

void ContactTimeStepper::remember(const FinishedStage& stage, const Contact& contact) {
  ContactMemory::Touching touching;
  touching.id = contact.id;
  touching.stencil = contact.stencil;
  touching.force = stage.h / stage.tau * contact.force;
  touching.is_anchored = sticks(contact);
  if (touching.is_anchored) touching.anchor = contact.plane.rest;
  touching_.push_back(touching);
}

void ContactTimeStepper::finish_stage(const FinishedStage& stage,
                                      const std::vector<Contact>& contacts) {
  const auto took_part = [&](const std::array<int, 4>& points, int count) {
    return std::any_of(points.begin(), points.begin() + count,
                       [&](int point) { return point >= 0 && stage.took_part[point] != 0; });
  };
  const auto forget = [](auto& list, const auto& is_old) {
    list.erase(std::remove_if(list.begin(), list.end(), is_old), list.end());
  };
  forget(touching_, [&](const ContactMemory::Touching& touching) {
    return took_part(touching.stencil.point, touching.stencil.count);
  });
  forget(report_.marks, [&](const ContactMark& mark) { return took_part(mark.points, 4); });
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (!contacts[c].presses()) continue;
    book_work(stage, contacts[c]);
    add_to_report(stage, contacts[c], stage.impulse[c]);
    remember(stage, contacts[c]);
  }
  std::stable_sort(touching_.begin(), touching_.end(),
                   [](const auto& one, const auto& other) { return one.id < other.id; });
  const auto pairs = std::count_if(report_.marks.begin(), report_.marks.end(),
                                   [](const ContactMark& mark) { return mark.collider < 0; });
  report_.pairs = static_cast<int>(pairs);
  report_.contacts = static_cast<int>(report_.marks.size()) - report_.pairs;
  if (stage.velocities.size() != 0) book_correction(stage, contacts);
}

void ContactTimeStepper::add_flows(std::vector<BodyFlow>& flows) const {
  for (std::size_t b = 0; b < flows.size(); ++b) {
    flows[b].work += flows_[b].work;
    flows[b].rubbed += flows_[b].rubbed;
    flows[b].touched = flows_[b].touched;
    flows[b].paired = flows_[b].paired;
    flows[b].let_go = flows_[b].let_go;
    flows[b].sunk = flows_[b].sunk;
    flows[b].driven = flows_[b].driven;
    flows[b].leans = flows_[b].leans;
    flows[b].met = flows_[b].met || flows_[b].touched;
    flows[b].group = group_of(static_cast<int>(b));
  }
}

ContactMemory ContactTimeStepper::memory() const {
  ContactMemory memory;
  for (const SceneCollider& collider : model_.colliders)
    memory.colliders.push_back(collider.collider.name);
  memory.surface = model_.surface_fingerprint;
  memory.touching = touching_;
  std::vector<char> touches(flows_.size(), 0);
  for (const ContactMemory::Touching& touching : touching_)
    for (int k = 0; k < touching.stencil.count; ++k)
      touches[model_.body_of_point[touching.stencil.point[k]]] = 1;
  for (std::size_t b = 0; b < flows_.size(); ++b) {
    if (flows_[b].touched && !touches[b]) memory.let_go.push_back(static_cast<int>(b));
    if (flows_[b].touched || flows_[b].met) memory.met.push_back(static_cast<int>(b));
  }
  return memory;
}

double deepest_penetration(const ContactModel& model, double time, const Points& x) {
  double deepest = 0;
  for (const SceneCollider& collider : model.colliders) {
    const RigidPose pose = pose_at(collider.motion, time);
    std::vector<ContactPath> paths;
    for (const int point : model.vertices) {
      const Vec3 own = pose.to_own(x.col(point));
      paths.push_back({own, own});
    }
    std::vector<ContactPlaneQuery> touches(paths.size());
    collider.collider.shape->touch(time, time, paths.data(), paths.size(), touches.data());
    for (std::size_t s = 0; s < paths.size(); ++s)
      if (touches[s].near)
        deepest = std::max(deepest, touches[s].normal.dot(touches[s].point - paths[s].to));
  }
  return deepest;
}

}  // namespace dashpot
