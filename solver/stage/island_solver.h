#pragma once

#include <utility>

#include "solver/stage/admm_stage_solver.h"
#include "solver/stage/internal_forces.h"
#include "solver/stage/quasi_newton_stage_solver.h"
#include "solver/stage/stage_problem.h"

namespace dashpot {

// An island and its solvers: quasi-Newton steps as long as they can go on, ADMM otherwise.
class IslandSolver {
 public:
  IslandSolver(const StageModel& model, Island island, ElementValues& values,
               const PreparedMatrix& former)
      : problem(model, std::move(island), values, former), forces(problem) {}
  IslandSolver(const IslandSolver&) = delete;

  // A stage in which nothing touches it.
  StageResult solve(const Stage& stage, const Points& before, const Points& x,
                    const StageSettings& settings, const CancelFunction& cancelled,
                    double* flat_forces);

  StageProblem problem;
  InternalForces forces;
  AdmmStageSolver admm;

 private:
  QuasiNewtonStageSolver quasi_newton_;
};

}  // namespace dashpot
