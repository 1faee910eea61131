// The part of AdmmSolver that is about contact.
#include <algorithm>
#include <utility>

#include "solver/stage/admm_solver.h"

namespace dashpot {

void AdmmSolver::add_contact(std::vector<Collider> colliders, std::vector<ContactVertex> sites) {
  for (ContactVertex& site : sites) site.vertex = 4 * system_.order().position[site.point];
  contact_ = std::make_unique<ContactSolver>(std::move(colliders), std::move(sites), system_,
                                             alignment_.pieces());
}

// Pieces in contact are rigid bodies in contact, the others are free.
void AdmmSolver::align() {
  in_contact_.clear();
  if (touches_) contact_->align(target_, x_, in_contact_);
  alignment_.align(target_, system_.inertia(), in_contact_, x_);
}

double AdmmSolver::contact_residual() const {
  return touches_ ? std::max(0.0, contact_->change() - place_rounding_) / moved_ : 0;
}

void AdmmSolver::solve_velocity_contacts(double h, double extrapolation, const Points& x,
                                         const std::vector<double>& bounce, ContactState& contact,
                                         Points& v) {
  load(x, x_);
  std::vector<double> velocity(step_.size());
  load(v, velocity);
  contact_->solve_velocity_contacts({h, extrapolation, turns_freely_, &x_, bounce}, velocity);
  store(velocity, v);
  contact.rows = contact_->finder().rows();
}

void AdmmSolver::solve_acceleration_contacts(double h, const Points& v, ContactState& contact,
                                             Points& a) {
  std::vector<double> velocity(step_.size()), acceleration(step_.size());
  load(v, velocity);
  load(a, acceleration);
  contact_->solve_acceleration_contacts(h, velocity, acceleration);
  store(acceleration, a);
  contact.rows = contact_->finder().rows();
}

}  // namespace dashpot
