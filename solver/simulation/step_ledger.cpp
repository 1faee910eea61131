#include "solver/simulation/step_ledger.h"

#include <algorithm>
#include <cmath>

namespace dashpot {

StepLedger::StepLedger(const SimulationModel& model, const Vec3& gravity, const State& from,
                       const Motion& start, Islands& islands)
    : model_(model),
      gravity_(gravity),
      islands_(islands),
      moves_pins_(model.has_moving_pins()),
      is_first_step_(from.steps == 0),
      flows_(model.body_count()),
      dissipated_(static_cast<std::size_t>(model.elements.count()), 0.0) {
  if (moves_pins_) {
    if (is_first_step_ || from.dual.empty()) {
      first_force_ = islands.force_gradient(from.x, from.v);
      add_reaction_inertia(start, first_force_);
    } else {
      first_force_ = reaction_at(from.dual, start);
    }
  }
}

void StepLedger::begin_stages() {
  power_.clear();
  force_ = first_force_;
}

void StepLedger::book_stage(double tau, const Motion& before, const Motion& after,
                            const std::vector<double>& dual, const IslandMask& of,
                            const IslandMask& touches) {
  book_drag(0.5 * tau, before.v, of);
  book_drag(0.5 * tau, after.v, of);
  if (islands_.are_damped()) {
    if (power_.empty()) islands_.dissipation(before.x, before.v, power_);
    mean_power_.swap(power_);
    islands_.dissipation(after.x, after.v, power_);
    // The first velocities need not suit the damping, which then ends them within the step.
    if (is_first_step_) mean_power_ = power_;
    // Exact where the rate changes linearly from one instant to the other.
    for (std::size_t t = 0; t < power_.size(); ++t)
      mean_power_[t] = (mean_power_[t] + power_[t] + std::sqrt(mean_power_[t] * power_[t])) / 3;
    IslandMask touching = of;
    for (std::size_t i = 0; i < touching.size(); ++i) touching[i] = of[i] && touches[i];
    if (std::count(touching.begin(), touching.end(), 0) != islands_.count()) {
      use_mean_rates(tau, before, after, touching);
      limit_to_stage_work(tau, before, after, dual, touching);
    }
    book_damping(tau, mean_power_, of);
  }
  if (!moves_pins_) return;
  const Points next = reaction_at(dual, after);
  book_pins(0.5 * (force_ + next), 1, before.x, after.x, of);
  force_ = next;
}

// Velocities that contact changed at an instant are not those that damping saw, in neighbours
// neither. Then it is the way between the instants that counts, seen from its middle, where turning
// looks least like stretching: the power of a mean rate never exceeds the mean of the power
// (Jensen).
void StepLedger::use_mean_rates(double tau, const Motion& before, const Motion& after,
                                const IslandMask& touches) {
  std::vector<double> mean;
  islands_.dissipation(0.5 * (before.x + after.x), (after.x - before.x) / tau, mean);
  for (std::size_t t = 0; t < mean.size(); ++t)
    if (is_marked(touches, static_cast<int>(t))) mean_power_[t] = std::min(mean_power_[t], mean[t]);
}

// What the damping stresses of the stage did, which is what it dissipated if it was one of backward
// Euler, is the most that can have gone.
void StepLedger::limit_to_stage_work(double tau, const Motion& before, const Motion& after,
                                     const std::vector<double>& dual, const IslandMask& touches) {
  const Points way = after.x - before.x;
  Points damping = islands_.stage_gradient(dual);
  islands_.add_laplacian_gradient(after.x, way / tau, damping);
  damping -= islands_.energy_gradient(after.x);
  std::vector<double> work(touches.size(), 0.0), booked = work;
  for (int i = 0; i < model_.point_count(); ++i)
    if (const int island = islands_.island_of_point(i); island >= 0)
      work[island] += damping.col(i).dot(way.col(i));
  for (std::size_t e = 0; e < mean_power_.size(); ++e)
    booked[islands_.island_of_element(static_cast<int>(e))] += tau * mean_power_[e];
  for (std::size_t e = 0; e < mean_power_.size(); ++e) {
    const int island = islands_.island_of_element(static_cast<int>(e));
    if (!touches[island] || !(booked[island] > 0)) continue;
    mean_power_[e] *= std::clamp(work[island] / booked[island], 0.0, 1.0);
  }
}

void StepLedger::book_extrapolated(double dt, double extrapolation, const Motion& start,
                                   const Motion& middle, const std::vector<double>& dual,
                                   const IslandMask& of) {
  book_drag(dt, middle.v, of);
  if (islands_.are_damped()) {
    islands_.dissipation(middle.x, middle.v, power_);
    book_damping(dt, power_, of);
  }
  if (moves_pins_) book_pins(reaction_at(dual, middle), extrapolation, start.x, middle.x, of);
}

// Force that holds pinned points on their path, besides that of their own inertia: internal + drag
// - m g.
void StepLedger::add_reaction_inertia(const Motion& motion, Points& force) const {
  for (const auto& set : model_.pins)
    for (const int i : set.points)
      force.col(i) += model_.drag[i] * motion.v.col(i) - model_.mass[i] * gravity_;
}

// At the end of a stage with these duals.
Points StepLedger::reaction_at(const std::vector<double>& dual, const Motion& motion) {
  Points force = islands_.stage_gradient(dual);
  islands_.add_laplacian_gradient(motion.x, motion.v, force);
  add_reaction_inertia(motion, force);
  return force;
}

void StepLedger::book_pins(const Points& force, double factor, const Points& from, const Points& to,
                           const IslandMask& of) {
  for (const auto& set : model_.pins)
    for (const int i : set.points)
      if (const int island = islands_.island_of_point(i); island >= 0 && of[island])
        flows_[set.body].work += factor * force.col(i).dot(to.col(i) - from.col(i));
}

void StepLedger::book_drag(double tau, const Points& v, const IslandMask& of) {
  drag_.assign(dissipated_.size(), 0.0);
  for (const auto& set : model_.elements.sets()) set->add_drag(tau, v, drag_);
  book_damping(1, drag_, of);
}

void StepLedger::book_damping(double tau, const std::vector<double>& power, const IslandMask& of) {
  for (std::size_t t = 0; t < power.size(); ++t)
    if (is_marked(of, static_cast<int>(t))) dissipated_[t] += tau * power[t];
}

void StepLedger::finish(const State& from, const State& to) {
  for (int b = 0; b < model_.body_count(); ++b) flows_[b].damped = model_.sum_of(b, dissipated_);
  // The work of the inertia of pinned points is the change of their kinetic energy.
  for (const auto& set : model_.pins)
    for (const int i : set.points)
      flows_[set.body].work +=
          0.5 * model_.mass[i] * (to.v.col(i).squaredNorm() - from.v.col(i).squaredNorm());
  if (model_.external_force.cols() == 0) return;
  for (int b = 0; b < model_.body_count(); ++b)
    for (int i = model_.point_offset[b]; i < model_.point_offset[b + 1]; ++i)
      if (!model_.pinned[i])
        flows_[b].work += model_.external_force.col(i).dot(to.x.col(i) - from.x.col(i));
}

}  // namespace dashpot
