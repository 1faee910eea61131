#pragma once

#include <vector>

#include "solver/contact/stage_contacts.h"
#include "solver/stage/contact_system.h"
#include "solver/stage/quasi_newton_metric.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

// Islands that touch: quasi-Newton steps, each of which obeys Coulomb's law exactly in its own
// metric (sequential quadratic programming). What touches is looked for as the solution moves, by
// continuous detection from where the stage began, so that nothing passes through anything.
class ContactStageSolver {
 public:
  // x: of all points, where those of the group are stored whenever contacts are looked for.
  ContactStageSolver(const StageGroup& group, ContactSystem& system, StageContacts& contacts,
                     Points& x)
      : group_(group), system_(system), contacts_(contacts), points_(x) {}

  // False if it cannot go on: a term is squeezed too far, or no step is short enough.
  bool solve(const StageSettings& settings, const CancelFunction& cancelled, StageResult& result);

 private:
  bool set_gradient(StageResult& result);
  bool set_regular_start(StageResult& result);
  void look(int iteration);
  void keep_forces();
  void set_residual();
  void learn(bool same_contacts);
  void set_step(double tolerance, StageResult& result);
  bool take_step(StageResult& result);
  void move(double factor);
  double gradient_residual() const;
  double violation() const;
  bool finish_iteration(const StageSettings& settings, StageResult& result);
  bool refresh(StageResult& result);
  void leave_obstacles();

  const StageGroup& group_;
  ContactSystem& system_;
  StageContacts& contacts_;
  Points& points_;
  QuasiNewtonMetric metric_;
  ResidualScale scale_;
  Points force_;  // of each contact
  // Joined arrays. residual: gradient less contact forces, preconditioned: G times it; last: at the
  // start of the last step, with the forces at its end.
  std::vector<double> gradient_, residual_, preconditioned_, step_;
  std::vector<double> last_gradient_, last_preconditioned_;
  bool has_step_ = false, changed_ = true, is_look_due_ = true;
  double slope_ = 0, largest_ = 0;
  double unseen_ = 0;  // how far anything may have moved since the last look, m
  int looks_back_ = 0;
};

}  // namespace dashpot
