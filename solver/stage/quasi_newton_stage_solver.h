#pragma once

#include "solver/stage/lbfgs.h"
#include "solver/stage/stage_problem.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

// For stages whose objective is smooth: quasi-Newton steps with the matrix of the global step. One
// is the ADMM iteration whose duals are those of its own positions: it needs gradients of the
// energy only, no prox, and remembers points instead of deformations. It cannot go on where a term
// is squeezed too far, or where no step is short enough.
class QuasiNewtonStageSolver final : public StageSolver {
 public:
  bool solve(StageProblem& problem, const StageSettings& settings, const CancelFunction& cancelled,
             double* forces, StageResult& result) override;

 private:
  bool minimize(StageProblem& problem, const StageSettings& settings,
                const CancelFunction& cancelled, StageResult& result);
  bool refresh(StageProblem& problem, StageResult& result);
  bool set_gradient(StageProblem& problem, StageResult& result);
  bool take_step(StageProblem& problem, StageResult& result);
  double gradient_residual(StageProblem& problem);
  bool finish_iteration(StageProblem& problem, const StageSettings& settings, StageResult& result);

  Lbfgs lbfgs_;
};

}  // namespace dashpot
