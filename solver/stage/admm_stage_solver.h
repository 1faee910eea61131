#pragma once

#include <vector>

#include "solver/stage/anderson.h"
#include "solver/stage/stage_problem.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

// ADMM (Brown et al. 2018 section 3.3) in the form with one variable p = Dx + u: z = prox(p), then
// a global solve with 2z - p, then p += Dx - z, accelerated. It needs no smoothness. Contact is
// part of the global step (ContactAdmm), between the two halves of an iteration.
class AdmmStageSolver final : public StageSolver {
 public:
  bool solve(StageProblem& problem, const StageSettings& settings, const CancelFunction& cancelled,
             double* forces, StageResult& result) override;

  // Starts the iteration at the problem's x with given forces.
  void begin(StageProblem& problem, const double* forces);
  // What has not converged gets new weights.
  void refresh(StageProblem& problem, int iterations);
  // Local steps and the global step, with the forces of contact that the problem has.
  void find_positions(StageProblem& problem, StageResult& result);
  // What is left between positions and local coordinates, and the next iterate; the residual is
  // not relative to anything.
  double find_residual(StageProblem& problem, StageResult& result);
  double dual_residual(StageProblem& problem);
  void store_forces(StageProblem& problem, double* forces) const;

 private:
  // After an iteration that looks like the last; false if there are to be no more.
  bool finish_iteration(StageProblem& problem, const StageSettings& settings, StageResult& result);
  void local_pass(StageProblem& problem);
  void global_pass(StageProblem& problem) const;
  void residual_pass(StageProblem& problem);

  std::vector<double> z_, forces_;
  Anderson anderson_;
  std::vector<Anderson::Coefficients> chunk_dots_;
  double residual_norm_ = 0;
};

}  // namespace dashpot
