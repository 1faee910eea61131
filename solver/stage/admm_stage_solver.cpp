#include "solver/stage/admm_stage_solver.h"

#include <algorithm>
#include <cmath>

#include "solver/base/lane_points.h"
#include "solver/base/stopwatch.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kVertexGrainOfAdmm = 512;

// Iterations after which weights are chosen anew if the stage has not converged.
constexpr int kPatience = 20;

}  // namespace

bool AdmmStageSolver::solve(StageProblem& problem, const StageSettings& settings,
                            const CancelFunction& cancelled, double* forces, StageResult& result) {
  begin(problem, forces);
  while (result.iterations < settings.iterations && !result.converged) {
    if (cancelled && cancelled()) {
      result.cancelled = true;
      return true;
    }
    refresh(problem, result.iterations);
    find_positions(problem, result);
    const double residual = find_residual(problem, result);
    // The first global step has found most of the motion; the start may have none of it.
    if (result.iterations++ == 0) problem.set_scale();
    result.primal_residual = residual / problem.scale().change;
    if (!finish_iteration(problem, settings, result)) break;
  }
  store_forces(problem, forces);
  return true;
}

void AdmmStageSolver::begin(StageProblem& problem, const double* forces) {
  const std::size_t size = problem.chunks().flat_size();
  z_.resize(size);
  forces_.resize(size);
  chunk_dots_.resize(problem.chunks().count());
  anderson_.resize(z_.size());
  anderson_.restart();
  double* residual = anderson_.residual(anderson_.current());
  double* image = anderson_.image(anderson_.current());
  problem.chunks().for_each([&](const TermChunk& c, std::size_t) {
    c.batch->forget(c.blocks);
    c.batch->begin_stage(c.blocks, problem.x().data(), forces + c.batch_flat,
                         z_.data() + c.batch_flat, image + c.batch_flat);
    std::fill(residual + c.flat_begin, residual + c.flat_end, 0.0);
  });
}

void AdmmStageSolver::store_forces(StageProblem& problem, double* forces) const {
  problem.chunks().for_each([&](const TermChunk& c, std::size_t) {
    for (std::size_t i = c.flat_begin; i < c.flat_end; ++i) forces[i] = anderson_.iterate_before(i);
    double* p = forces + c.batch_flat;
    c.batch->dual(c.blocks, p, z_.data() + c.batch_flat, p);
  });
}

void AdmmStageSolver::refresh(StageProblem& problem, int iterations) {
  if (iterations == 0 || iterations % kPatience != 0) return;
  store_forces(problem, forces_.data());
  const bool changed = problem.adapt_weights();
  problem.set_laplacian_frame();
  if (changed || problem.laplacian().is_projected()) begin(problem, forces_.data());
}

bool AdmmStageSolver::finish_iteration(StageProblem& problem, const StageSettings& settings,
                                       StageResult& result) {
  const bool last = result.iterations == settings.iterations;
  const double enough = problem.scale().enough_for(settings.tolerance);
  if (!(result.primal_residual <= enough) && !last) return true;
  result.dual_residual = dual_residual(problem) / problem.scale().change;
  result.converged = result.primal_residual <= enough && result.dual_residual <= enough;
  if (!problem.turns_freely() || !(result.converged || last)) return true;
  const double turned = problem.turn_rigidly();
  result.dual_residual = std::max(result.dual_residual, turned);
  if (turned <= enough) return true;
  result.converged = false;
  if (last) return false;
  store_forces(problem, forces_.data());
  problem.set_laplacian_frame();
  begin(problem, forces_.data());
  return true;
}

void AdmmStageSolver::find_positions(StageProblem& problem, StageResult& result) {
  {
    const Stopwatch watch(result.ms_local);
    local_pass(problem);
  }
  const Stopwatch watch(result.ms_global);
  global_pass(problem);
}

double AdmmStageSolver::find_residual(StageProblem& problem, StageResult& result) {
  const Stopwatch watch(result.ms_local);
  residual_pass(problem);
  return residual_norm_;
}

void AdmmStageSolver::local_pass(StageProblem& problem) {
  const double* residual = anderson_.residual(anderson_.current());
  TermChunks& chunks = problem.chunks();
  chunks.for_each([&](const TermChunk& c, std::size_t) {
    anderson_.next_iterate(c.flat_begin, c.flat_end);
    c.batch->local_step(c.blocks, anderson_.iterate() + c.batch_flat, z_.data() + c.batch_flat,
                        residual + c.batch_flat, chunks.forces_of(c));
  });
}

// In residual form, A (x_new - x) = b - A x: exact for a rigidly moving body wherever it is, and
// ready for a factor of lower precision.
void AdmmStageSolver::global_pass(StageProblem& problem) const {
  const std::vector<double>& inertia = problem.matrix().inertia();
  const std::vector<double>& target = problem.target();
  std::vector<double>&x = problem.x(), &step = problem.scratch();
  const int free_count = problem.matrix().order().free_count;
  parallel_each(free_count, kVertexGrainOfAdmm, [&](std::ptrdiff_t k) {
    const Lane pull = inertia[k] * (load_lane(&target[4 * k]) - load_lane(&x[4 * k]));
    store_lane(&step[4 * k], pull + problem.chunks().sum_forces(k));
  });
  problem.subtract_laplacian_forces(step);
  if (problem.is_in_contact())
    for (std::size_t i = 0; i < problem.contact_forces().size(); ++i)
      step[i] += problem.contact_forces()[i];
  problem.matrix().solve(step.data());
  problem.laplacian().correct(step.data());
  parallel_each(free_count, kVertexGrainOfAdmm, [&](std::ptrdiff_t k) {
    for (int d = 0; d < 3; ++d) x[4 * k + d] += step[4 * k + d];
  });
}

void AdmmStageSolver::residual_pass(StageProblem& problem) {
  const int slot = anderson_.begin_iterate();
  double* residual = anderson_.residual(slot);
  problem.chunks().for_each([&](const TermChunk& c, std::size_t number) {
    c.batch->residual(c.blocks, problem.x().data(), z_.data() + c.batch_flat,
                      residual + c.batch_flat);
    chunk_dots_[number] = anderson_.record(c.flat_begin, c.flat_end);
  });
  Anderson::Coefficients dots{};
  for (const auto& part : chunk_dots_)
    for (int j = 0; j < Anderson::kSlots; ++j) dots[j] += part[j];
  residual_norm_ = std::sqrt(dots[slot]);
  anderson_.end_iterate(dots);
}

// The stage's gradient at x with the stresses at z is -D^T W^2 (Dx - z); divided by the diagonal of
// A it is a displacement.
double AdmmStageSolver::dual_residual(StageProblem& problem) {
  const double* residual = anderson_.residual(anderson_.current());
  TermChunks& chunks = problem.chunks();
  chunks.for_each([&](const TermChunk& c, std::size_t) {
    c.batch->weighted_forces(c.blocks, residual + c.batch_flat, chunks.forces_of(c));
  });
  const std::vector<double>& diagonal = problem.matrix().diagonal();
  const double squared = parallel_sum(problem.matrix().order().free_count, kVertexGrainOfAdmm, 0.0,
                                      [&](ChunkRange range) {
                                        double sum = 0;
                                        for (auto k = range.begin; k < range.end; ++k) {
                                          const Lane force = chunks.sum_forces(k);
                                          sum += lane_sum(force * force) / diagonal[k];
                                        }
                                        return sum;
                                      });
  return std::sqrt(squared);
}

}  // namespace dashpot
