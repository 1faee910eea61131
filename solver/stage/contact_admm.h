#pragma once

#include <vector>

#include "solver/contact/stage_contacts.h"
#include "solver/stage/admm_stage_solver.h"
#include "solver/stage/contact_system.h"
#include "solver/stage/stage_group.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

// Islands that touch, where forces are not smooth: ADMM on all of them side by side, whose global
// step obeys Coulomb's law in the metric A.
class ContactAdmm {
 public:
  // solvers: of each problem of the group. x: as in ContactStageSolver.
  ContactAdmm(const StageGroup& group, std::vector<AdmmStageSolver*> solvers, ContactSystem& system,
              StageContacts& contacts, Points& x)
      : group_(group),
        solvers_(std::move(solvers)),
        system_(system),
        contacts_(contacts),
        points_(x) {}

  // forces: of each problem, as AdmmStageSolver takes and leaves them.
  void solve(const StageSettings& settings, const CancelFunction& cancelled,
             const std::vector<double*>& forces, StageResult& result);

 private:
  void look(bool drops);
  void correct(double tolerance);
  void load_forces();
  double iterate(int number, double tolerance, StageResult& result);
  bool is_solved(const StageSettings& settings, StageResult& result);

  const StageGroup& group_;
  std::vector<AdmmStageSolver*> solvers_;
  ContactSystem& system_;
  StageContacts& contacts_;
  Points& points_;
  Points force_;
  ResidualScale scale_;
  double corrected_ = 0;  // by contact in the last iteration, m
};

}  // namespace dashpot
