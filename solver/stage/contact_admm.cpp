#include "solver/stage/contact_admm.h"

#include <algorithm>
#include <cmath>

#include "solver/base/stopwatch.h"
#include "solver/stage/contact_looks.h"

namespace dashpot {

void ContactAdmm::look(bool drops) {
  group_.store(points_);
  const auto count = static_cast<int>(contacts_.contacts().size());
  const bool changed = contacts_.look(points_, drops);
  // What a look back took in is not in the system yet.
  if (!changed && count == system_.count() && force_.cols() == count) return;
  system_.set_contacts(contacts_.contacts());
  force_.resize(3, system_.count());
  for (int c = 0; c < system_.count(); ++c) force_.col(c) = contacts_.contacts()[c].force;
  load_forces();
}

// The next global step knows them.
void ContactAdmm::load_forces() {
  std::vector<double> joined(static_cast<std::size_t>(group_.size()), 0.0);
  system_.add_forces(force_, joined);
  for (int k = 0; k < group_.count(); ++k)
    std::copy(joined.begin() + group_.begin(k), joined.begin() + group_.begin(k + 1),
              group_.problem(k).contact_forces().begin());
}

// Moves positions to where contact leaves the minimiser of the global step.
void ContactAdmm::correct(double tolerance) {
  corrected_ = 0;
  if (system_.empty()) return;
  system_.store_touched(points_);
  contacts_.follow(points_);
  const Points before = force_;
  Points y = system_.places();
  ConeSettings settings;
  settings.tolerance = cone_tolerance(tolerance, scale_.moved, contacts_.gap());
  system_.solve(nullptr, contacts_.contacts(), settings, y, force_);
  std::vector<double> step(static_cast<std::size_t>(group_.size()), 0.0);
  system_.add_forces(force_ - before, step);
  for (int k = 0; k < group_.count(); ++k) {
    StageProblem& problem = group_.problem(k);
    double* own = step.data() + group_.begin(k);
    problem.matrix().solve(own);
    for (int v = 0; v < problem.matrix().order().free_count; ++v) {
      Vec3::Map(&problem.x()[4 * v]) += Vec3::Map(own + 4 * v);
      corrected_ = std::max(corrected_, Vec3::Map(own + 4 * v).norm());
    }
  }
  for (int c = 0; c < system_.count(); ++c) contacts_.contacts()[c].force = force_.col(c);
  load_forces();
}

double ContactAdmm::iterate(int number, double tolerance, StageResult& result) {
  for (int k = 0; k < group_.count(); ++k) {
    solvers_[k]->refresh(group_.problem(k), number);
    solvers_[k]->find_positions(group_.problem(k), result);
  }
  {
    const Stopwatch watch(result.ms_contact);
    if (number < kFirstLooks || number % kIterationsPerLook == 0) look(number < kFirstLooks);
    correct(tolerance);
  }
  double squared = 0;
  for (int k = 0; k < group_.count(); ++k) {
    const double own = solvers_[k]->find_residual(group_.problem(k), result);
    squared += own * own;
  }
  return std::sqrt(squared);
}

bool ContactAdmm::is_solved(const StageSettings& settings, StageResult& result) {
  const bool last = result.iterations == settings.iterations;
  const double enough = scale_.enough_for(settings.tolerance);
  if (!(result.primal_residual <= enough) && !last) return false;
  double squared = 0;
  for (int k = 0; k < group_.count(); ++k) {
    const double own = solvers_[k]->dual_residual(group_.problem(k));
    squared += own * own;
  }
  result.dual_residual = std::max(std::sqrt(squared) / scale_.change, corrected_ / scale_.moved);
  result.converged = result.primal_residual <= enough && result.dual_residual <= enough;
  if (!result.converged) return false;
  group_.store(points_);
  if (!contacts_.look_back(points_)) return true;
  result.converged = false;
  look(false);
  return false;
}

void ContactAdmm::solve(const StageSettings& settings, const CancelFunction& cancelled,
                        const std::vector<double*>& forces, StageResult& result) {
  for (int k = 0; k < group_.count(); ++k) solvers_[k]->begin(group_.problem(k), forces[k]);
  // With its whole budget: what was tried before must not make the answer worse.
  StageSettings rest = settings;
  rest.iterations += result.iterations;
  for (int number = 0; number < settings.iterations; ++number) {
    if (cancelled && cancelled()) {
      result.cancelled = true;
      return;
    }
    const double residual = iterate(number, settings.tolerance, result);
    ++result.iterations;
    if (number < kFirstLooks) scale_ = group_.scale();
    result.primal_residual = residual / scale_.change;
    if (is_solved(rest, result)) break;
  }
  for (int k = 0; k < group_.count(); ++k) solvers_[k]->store_forces(group_.problem(k), forces[k]);
  cut_back(group_, contacts_, points_, result);
  look(false);
  system_.push_out(contacts_.contacts(), contacts_.gap());
}

}  // namespace dashpot
