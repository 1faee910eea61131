#include "solver/stage/island_solver.h"

#include "solver/base/stopwatch.h"

namespace dashpot {

StageResult IslandSolver::solve(const Stage& stage, const Points& before, const Points& x,
                                const StageSettings& settings, const CancelFunction& cancelled,
                                double* flat_forces) {
  StageResult result;
  {
    const Stopwatch watch(result.ms_global);
    problem.begin(stage, before, x, false);
  }
  const bool is_smooth = settings.choice == SolverChoice::kAutomatic && problem.is_smooth();
  if (!is_smooth || !quasi_newton_.solve(problem, settings, cancelled, flat_forces, result)) {
    // With its whole budget: what was tried before must not make the answer worse.
    StageSettings rest = settings;
    rest.iterations += result.iterations;
    admm.solve(problem, rest, cancelled, flat_forces, result);
  }
  return result;
}

}  // namespace dashpot
