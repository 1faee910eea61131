#include "solver/stage/quasi_newton_stage_solver.h"

#include <algorithm>
#include <cmath>

#include "solver/base/lane_points.h"
#include "solver/base/stopwatch.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kDescentGrain = 512;
constexpr int kPatienceOfDescent = 20;  // iterations after which weights are chosen anew
// A step at whose end the force pushes back harder than this part of what drove it is cut.
constexpr double kOvershoot = 0.5;
constexpr int kMostCuts = 6;

}  // namespace

bool QuasiNewtonStageSolver::solve(StageProblem& problem, const StageSettings& settings,
                                   const CancelFunction& cancelled, double* forces,
                                   StageResult& result) {
  if (!minimize(problem, settings, cancelled, result)) return false;
  if (result.cancelled) return true;
  problem.store_forces(forces);
  return true;
}

// Of the objective at x; false if a term is squeezed too far.
bool QuasiNewtonStageSolver::set_gradient(StageProblem& problem, StageResult& result) {
  const Stopwatch watch(result.ms_local);
  return problem.gradient(lbfgs_.gradient().data());
}

// From x with its gradient to the next; false, and back at x, if no step is short enough.
bool QuasiNewtonStageSolver::take_step(StageProblem& problem, StageResult& result) {
  const auto move = [&](const std::vector<double>& step, double factor) {
    parallel_each(static_cast<std::ptrdiff_t>(step.size()), 4 * kDescentGrain,
                  [&](std::ptrdiff_t i) { problem.x()[i] += factor * step[i]; });
  };
  const std::vector<double>* step = nullptr;
  {
    const Stopwatch watch(result.ms_global);
    std::vector<double>& preconditioned = lbfgs_.preconditioned();
    preconditioned = lbfgs_.gradient();
    problem.matrix().solve(preconditioned.data());
    problem.laplacian().correct(preconditioned.data());
    parallel_each(problem.matrix().order().free_count, kDescentGrain,
                  [&](std::ptrdiff_t k) { preconditioned[4 * k + 3] = 0; });
    step = &lbfgs_.next_step();
    move(*step, 1);
  }
  for (int cuts = 0;; ++cuts) {
    const bool smooth = set_gradient(problem, result);
    const double end = lbfgs_.slope_at_end();
    const bool regular = smooth && std::isfinite(end);
    if (regular && end <= -kOvershoot * lbfgs_.slope()) return true;
    if (cuts == kMostCuts) break;
    // Where a force that grows evenly would vanish.
    const double rest = regular ? lbfgs_.slope() / (lbfgs_.slope() - end) : 0.5;
    const double factor = std::clamp(rest, 0.1, 0.5);
    move(*step, factor - 1);
    lbfgs_.scale_step(factor);
  }
  move(*step, -1);
  return false;
}

// In the norm of the inverse diagonal, relative to the change, as that of ADMM.
double QuasiNewtonStageSolver::gradient_residual(StageProblem& problem) {
  const std::vector<double>& diagonal = problem.matrix().diagonal();
  const std::vector<double>& gradient = lbfgs_.gradient();
  const double squared =
      parallel_sum(problem.matrix().order().free_count, kDescentGrain, 0.0, [&](ChunkRange range) {
        double sum = 0;
        for (auto k = range.begin; k < range.end; ++k) {
          const Lane force = load_lane(&gradient[4 * k]);
          sum += lane_sum(force * force) / diagonal[k];
        }
        return sum;
      });
  return std::sqrt(squared) / problem.scale().change;
}

// Weights are chosen anew; false if the objective is not smooth with them.
bool QuasiNewtonStageSolver::refresh(StageProblem& problem, StageResult& result) {
  const bool changed = problem.adapt_weights();
  problem.set_laplacian_frame();
  const bool is_projected = problem.laplacian().is_projected();
  if (changed || is_projected) lbfgs_.restart();
  return !is_projected || set_gradient(problem, result);
}

bool QuasiNewtonStageSolver::minimize(StageProblem& problem, const StageSettings& settings,
                                      const CancelFunction& cancelled, StageResult& result) {
  lbfgs_.resize(4 * static_cast<std::size_t>(problem.matrix().order().free_count));
  problem.chunks().for_each([&](const TermChunk& c, std::size_t) { c.batch->forget(c.blocks); });
  if (!set_gradient(problem, result)) return false;
  while (result.iterations < settings.iterations && !result.converged) {
    if (cancelled && cancelled()) {
      result.cancelled = true;
      return true;
    }
    const bool is_due = result.iterations > 0 && result.iterations % kPatienceOfDescent == 0;
    if (is_due && !refresh(problem, result)) return false;
    if (!take_step(problem, result)) return false;
    if (result.iterations++ == 0) problem.set_scale();
    // Of where the step began; where it ends is nearer.
    result.primal_residual = std::sqrt(lbfgs_.squared_length()) / problem.scale().change;
    if (!finish_iteration(problem, settings, result)) return false;
  }
  return true;
}

// After an iteration that looks like the last; false if this solver cannot go on.
bool QuasiNewtonStageSolver::finish_iteration(StageProblem& problem, const StageSettings& settings,
                                              StageResult& result) {
  const bool last = result.iterations == settings.iterations;
  const double enough = problem.scale().enough_for(settings.tolerance);
  if (result.primal_residual > enough && !last) return true;
  result.dual_residual = gradient_residual(problem);
  result.converged = result.primal_residual <= enough && result.dual_residual <= enough;
  const bool ends = result.converged || last;
  if (!problem.turns_freely() || !ends) return true;
  const double turned = problem.turn_rigidly();
  result.dual_residual = std::max(result.dual_residual, turned);
  if (turned <= enough) return true;
  result.converged = false;
  lbfgs_.restart();
  problem.set_laplacian_frame();
  return last || set_gradient(problem, result);
}

}  // namespace dashpot
