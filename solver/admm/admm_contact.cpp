// The part of AdmmSolver that is about contact.
#include <algorithm>
#include <utility>

#include "solver/admm/admm_solver.h"

namespace dashpot {

void AdmmSolver::add_contact(std::vector<Collider> colliders, std::vector<ContactSite> sites) {
  for (ContactSite& site : sites) site.vertex = 4 * system_.order().position[site.point];
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

void AdmmSolver::settle_velocities(double h, double extrapolation, const Points& x,
                                   const std::vector<double>& bounce, StageContact& contact,
                                   Points& v) {
  load(x, x_);
  std::vector<double> velocity(step_.size());
  load(v, velocity);
  contact_->settle_velocities({h, extrapolation, turns_freely_, &x_, bounce}, velocity);
  store(velocity, v);
  contact.rows = contact_->finder().rows();
}

void AdmmSolver::settle_accelerations(double h, const Points& v, StageContact& contact, Points& a) {
  std::vector<double> velocity(step_.size()), acceleration(step_.size());
  load(v, velocity);
  load(a, acceleration);
  contact_->settle_accelerations(h, velocity, acceleration);
  store(acceleration, a);
  contact.rows = contact_->finder().rows();
}

}  // namespace dashpot
