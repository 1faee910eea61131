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

void AdmmSolver::settle(double h, double extrapolation, const Points& x,
                        const std::vector<double>& bounce, StageContact& contact, Points& v,
                        Points& a) {
  load(x, x_);
  ContactSolver::Motion motion{step_, step_};
  load(v, motion.v);
  load(a, motion.a);
  contact_->settle({h, extrapolation, turns_freely_, &x_, bounce}, motion);
  store(motion.v, v);
  store(motion.a, a);
  contact.rows = contact_->finder().rows();
}

}  // namespace dashpot
