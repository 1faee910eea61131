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
      force_ = islands.force_gradient(from.x, from.v);
      add_reaction_inertia(start, force_);
    } else {
      force_ = reaction_at(from.dual, start);
    }
  }
}

void StepLedger::book_stage(double tau, const Motion& before, const Motion& after,
                            const std::vector<double>& dual, bool touching) {
  book_drag(0.5 * tau, before.v);
  book_drag(0.5 * tau, after.v);
  if (islands_.are_damped()) {
    if (power_.empty()) islands_.dissipation(before.x, before.v, power_);
    mean_power_.swap(power_);
    islands_.dissipation(after.x, after.v, power_);
    // The first velocities need not suit the damping, which then ends them within the step.
    if (is_first_step_) mean_power_ = power_;
    // Exact where the rate changes linearly from one instant to the other.
    for (std::size_t t = 0; t < power_.size(); ++t)
      mean_power_[t] = (mean_power_[t] + power_[t] + std::sqrt(mean_power_[t] * power_[t])) / 3;
    if (touching) {
      use_mean_rates(tau, before, after);
      limit_to_stage_work(tau, before, after, dual);
    }
    book_damping(tau, mean_power_);
  }
  if (!moves_pins_) return;
  const Points next = reaction_at(dual, after);
  book_pins(0.5 * (force_ + next), 1, before.x, after.x);
  force_ = next;
}

// Velocities that contact changed at an instant are not those that damping saw, in neighbours
// neither. Then it is the way between the instants that counts, seen from its middle, where turning
// looks least like stretching: the power of a mean rate never exceeds the mean of the power
// (Jensen).
void StepLedger::use_mean_rates(double tau, const Motion& before, const Motion& after) {
  std::vector<double> mean;
  islands_.dissipation(0.5 * (before.x + after.x), (after.x - before.x) / tau, mean);
  for (std::size_t t = 0; t < mean.size(); ++t) mean_power_[t] = std::min(mean_power_[t], mean[t]);
}

// What the damping stresses of the stage did, which is what it dissipated if it was one of backward
// Euler, is the most that can have gone.
void StepLedger::limit_to_stage_work(double tau, const Motion& before, const Motion& after,
                                     const std::vector<double>& dual) {
  const Points way = after.x - before.x;
  Points damping = islands_.stage_gradient(dual);
  islands_.add_laplacian_gradient(after.x, way / tau, damping);
  damping -= islands_.energy_gradient(after.x);
  for (int b = 0; b < model_.body_count(); ++b) {
    double work = 0;
    for (int i = model_.point_offset[b]; i < model_.point_offset[b + 1]; ++i)
      work += damping.col(i).dot(way.col(i));
    const double booked = tau * model_.sum_of(b, mean_power_);
    const double share = std::max(0.0, work) / booked;
    if (booked > 0 && share < 1)
      model_.for_each_element_of(b, [&](int e) { mean_power_[e] *= share; });
  }
}

void StepLedger::book_extrapolated(double dt, double extrapolation, const Motion& start,
                                   const Motion& middle, const std::vector<double>& dual) {
  book_drag(dt, middle.v);
  if (islands_.are_damped()) {
    islands_.dissipation(middle.x, middle.v, power_);
    book_damping(dt, power_);
  }
  if (moves_pins_) book_pins(reaction_at(dual, middle), extrapolation, start.x, middle.x);
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

void StepLedger::book_pins(const Points& force, double factor, const Points& from,
                           const Points& to) {
  for (const auto& set : model_.pins)
    for (const int i : set.points)
      flows_[set.body].work += factor * force.col(i).dot(to.col(i) - from.col(i));
}

void StepLedger::book_drag(double tau, const Points& v) {
  for (const auto& set : model_.elements.sets()) set->add_drag(tau, v, dissipated_);
}

void StepLedger::book_damping(double tau, const std::vector<double>& power) {
  for (std::size_t t = 0; t < power.size(); ++t) dissipated_[t] += tau * power[t];
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
