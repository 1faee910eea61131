// The part of AdmmSolver for stages whose objective is smooth: quasi-Newton steps with the matrix
// of the global step. One is the ADMM iteration whose duals are those of its own positions: it
// needs gradients of the energy only, no prox, and remembers points instead of deformations.
#include <algorithm>
#include <cmath>

#include "solver/base/lane_points.h"
#include "solver/base/stopwatch.h"
#include "solver/stage/admm_solver.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kDescentGrain = 512;
constexpr int kPatienceOfDescent = 20;  // iterations after which weights are chosen anew
// A step at whose end the force pushes back harder than this part of what drove it is cut.
constexpr double kOvershoot = 0.5;
constexpr int kMostCuts = 6;

}  // namespace

// Of the objective at x_; false if a tet is squeezed too far.
bool AdmmSolver::stage_gradient(AdmmResult& result) {
  const Stopwatch watch(result.ms_local);
  for_each_chunk([&](const Chunk& c, std::size_t number) {
    chunk_dots_[number][0] = c.batch->stage_force(c.blocks, x_.data(), forces_of(c), nullptr);
  });
  const std::vector<double>& inertia = system_.inertia();
  std::vector<double>& gradient = newton_.gradient();
  parallel_each(system_.order().free_count, kDescentGrain, [&](std::ptrdiff_t k) {
    const Lane pull = inertia[k] * (load_lane(&x_[4 * k]) - load_lane(&target_[4 * k]));
    store_lane(&gradient[4 * k], pull + sum_forces(k));
  });
  if (laplacian_.is_active()) {
    std::fill(step_.begin(), step_.end(), 0.0);
    subtract_laplacian_forces(step_);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] -= step_[i];
  }
  return std::all_of(chunk_dots_.begin(), chunk_dots_.end(),
                     [](const auto& regular) { return regular[0] != 0; });
}

// From x_ with its gradient to the next; false, and back at x_, if no step is short enough.
bool AdmmSolver::take_step(AdmmResult& result) {
  const auto move = [&](const std::vector<double>& step, double factor) {
    parallel_each(static_cast<std::ptrdiff_t>(step.size()), 4 * kDescentGrain,
                  [&](std::ptrdiff_t i) { x_[i] += factor * step[i]; });
  };
  const std::vector<double>* step = nullptr;
  {
    const Stopwatch watch(result.ms_global);
    newton_.preconditioned() = newton_.gradient();
    system_.solve(newton_.preconditioned().data());
    laplacian_.correct(newton_.preconditioned().data());
    parallel_each(system_.order().free_count, kDescentGrain,
                  [&](std::ptrdiff_t k) { newton_.preconditioned()[4 * k + 3] = 0; });
    step = &newton_.next_step();
    move(*step, 1);
  }
  for (int cuts = 0;; ++cuts) {
    const bool smooth = stage_gradient(result);
    const double end = newton_.slope_at_end();
    const bool regular = smooth && std::isfinite(end);
    if (regular && end <= -kOvershoot * newton_.slope()) return true;
    if (cuts == kMostCuts) break;
    // Where a force that grows evenly would vanish.
    const double rest = regular ? newton_.slope() / (newton_.slope() - end) : 0.5;
    const double factor = std::clamp(rest, 0.1, 0.5);
    move(*step, factor - 1);
    newton_.scale_step(factor);
  }
  move(*step, -1);
  return false;
}

// As dual_residual().
double AdmmSolver::gradient_residual() {
  const std::vector<double>& diagonal = system_.diagonal();
  const std::vector<double>& gradient = newton_.gradient();
  const double squared =
      parallel_sum(system_.order().free_count, kDescentGrain, 0.0, [&](ChunkRange range) {
        double sum = 0;
        for (auto k = range.begin; k < range.end; ++k) {
          const Lane force = load_lane(&gradient[4 * k]);
          sum += lane_sum(force * force) / diagonal[k];
        }
        return sum;
      });
  return std::sqrt(squared) / scale_;
}

void AdmmSolver::store_stage_force(std::vector<double>& dual) {
  for_each_chunk([&](const Chunk& c, std::size_t) {
    c.batch->stage_force(c.blocks, x_.data(), forces_of(c), dual.data() + c.batch_flat);
  });
}

bool AdmmSolver::minimize_quasi_newton(const AdmmSettings& settings,
                                       const std::function<bool()>& cancelled, AdmmResult& result) {
  newton_.restart();
  for_each_chunk([&](const Chunk& c, std::size_t) { c.batch->forget(c.blocks); });
  if (!stage_gradient(result)) return false;
  while (result.iterations < settings.iterations && !result.converged) {
    if (cancelled && cancelled()) {
      result.cancelled = true;
      return true;
    }
    if (result.iterations > 0 && result.iterations % kPatienceOfDescent == 0) {
      const bool changed = adapt_weights();
      set_laplacian_frame();
      if (changed || laplacian_.is_projected()) newton_.restart();
      if (laplacian_.is_projected() && !stage_gradient(result)) return false;
    }
    if (!take_step(result)) return false;
    if (result.iterations++ == 0) set_scale();
    // Of where the step began; where it ends is nearer.
    result.primal_residual = std::sqrt(newton_.squared_length()) / scale_;
    const bool last = result.iterations == settings.iterations;
    const double enough = enough_for(settings);
    if (result.primal_residual > enough && !last) continue;
    result.dual_residual = gradient_residual();
    result.converged = result.primal_residual <= enough && result.dual_residual <= enough;
    if (touches_ && (result.converged || last) && contact_->extend(x_)) {
      result.converged = false;
      return false;
    }
    if (!turns_freely_ || !(result.converged || last)) continue;
    const double turned = turn_rigidly();
    result.dual_residual = std::max(result.dual_residual, turned);
    if (turned <= enough) continue;
    result.converged = false;
    newton_.restart();
    set_laplacian_frame();
    if (!last && !stage_gradient(result)) return false;
  }
  return true;
}

}  // namespace dashpot
