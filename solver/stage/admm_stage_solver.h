#pragma once

#include <vector>

#include "solver/stage/anderson.h"
#include "solver/stage/stage_problem.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

// ADMM (Brown et al. 2018 section 3.3) in the form with one variable p = Dx + u: z = prox(p), then
// a global solve with 2z - p, then p += Dx - z, accelerated. It needs no smoothness, and contact is
// part of its global step.
class AdmmStageSolver final : public StageSolver {
 public:
  bool solve(StageProblem& problem, const StageSettings& settings, const CancelFunction& cancelled,
             double* forces, StageResult& result) override;

 private:
  // The iteration on one problem, whose arrays it works on.
  void begin(StageProblem& problem, const std::vector<double>& forces);
  void store_forces(StageProblem& problem, std::vector<double>& forces) const;
  void iterate(StageProblem& problem, StageResult& result);
  // What has not converged gets new weights, and a look at points that have come near a collider.
  void refresh(StageProblem& problem, int iterations, std::vector<double>& forces);
  // After an iteration that looks like the last; false if there are to be no more.
  bool finish_iteration(StageProblem& problem, const StageSettings& settings,
                        std::vector<double>& forces, StageResult& result);
  void local_pass(StageProblem& problem);
  void global_pass(StageProblem& problem) const;
  void residual_pass(StageProblem& problem);
  double dual_residual(StageProblem& problem);

  std::vector<double> z_;
  Anderson anderson_;
  std::vector<Anderson::Coefficients> chunk_dots_;
  double residual_norm_ = 0;
};

}  // namespace dashpot
