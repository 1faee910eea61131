#pragma once

#include <algorithm>
#include <functional>

#include "solver/stage/solver_choice.h"
#include "solver/stage/solver_work.h"

namespace dashpot {

// Polled between iterations; true asks the solver to stop.
using CancelFunction = std::function<bool()>;

struct StageSettings {
  int iterations = 60;
  double tolerance = 1e-4;
  SolverChoice choice = SolverChoice::kAutomatic;
};

struct StageResult {
  int iterations = 0;
  // The mismatch |W(Dx - z)|, and the force that it leaves unbalanced in the norm of the inverse
  // diagonal, both relative to |W D(x - before)|: how much the stage deforms and turns the
  // body. Of quasi-Newton steps, the mismatch that a step of ADMM would leave: that of A^-1 g, in
  // the norm of A.
  double primal_residual = 0, dual_residual = 0;
  bool converged = false, cancelled = false;
  bool cut = false;  // it would have passed through something, and ends before
  double ms_local = 0, ms_global = 0, ms_contact = 0;
  ConeWork cones;
};

class StageProblem;

// Minimises a stage's objective over the free points of one island.
class StageSolver {
 public:
  virtual ~StageSolver() = default;

  // From problem.x() and the generalised forces on local coordinates of the last stage, `forces`
  // (flat). Both become those of the solution; forces stay if it is cancelled. False if this solver
  // cannot go on: x is then as good as it got, and another one has to.
  virtual bool solve(StageProblem& problem, const StageSettings& settings,
                     const CancelFunction& cancelled, double* forces, StageResult& result) = 0;
};

}  // namespace dashpot
