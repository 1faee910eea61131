#include "solver/stage/contact_stage_solver.h"

#include <algorithm>
#include <cmath>

#include "solver/base/lane_points.h"
#include "solver/base/parallel.h"
#include "solver/base/stopwatch.h"
#include "solver/stage/contact_looks.h"

namespace dashpot {
namespace {

constexpr std::ptrdiff_t kJoinedGrain = 2048;
// A step at whose end the force pushes back harder than this part of what drove it is cut.
constexpr double kOvershootInContact = 0.5;
constexpr int kMostCutsInContact = 6;
constexpr int kMostLooksBack = 12;
// Towards where the stage begins, of a guess where forces are not smooth.
constexpr int kMostHalvings = 3;
constexpr int kPatienceInContact = 20;  // iterations after which weights are chosen anew
// Coulomb's law is solved to this part of the last step, of many contacts to a larger one, and each
// linear system on the way to this part of what there is to solve: more costs products and saves no
// iteration. The first step's size is not known yet: that with the forces of the last stage is.
constexpr double kConesOfStep = 0.1, kManyConesOfStep = 0.2, kConesOfFirst = 0.1;
constexpr double kLinearForcing = 0.1;
// The proximal weight of contacts: firm at first, which is cheapest, then ever more exact.
constexpr double kLeastProximal = 0.2, kFirmestProximal = 0.3;
// Cones that are not solved exactly enough cost more iterations than they save.
constexpr int kNewtonOfRound = 6, kRoundsOfCones = 6;
constexpr int kManyContacts = 300, kFirmIterations = 6;

double cone_share(int contacts) {
  return contacts <= kManyContacts ? kConesOfStep : kManyConesOfStep;
}

double proximal_weight(int iteration, int contacts) {
  const int since = contacts <= kManyContacts ? iteration : iteration - kFirmIterations;
  return std::clamp(std::pow(0.5, since), kLeastProximal, 1.0);
}

}  // namespace

bool ContactStageSolver::set_gradient(StageResult& result) {
  const Stopwatch watch(result.ms_local);
  bool regular = true;
  for (int k = 0; k < group_.count(); ++k)
    regular = group_.problem(k).gradient(gradient_.data() + group_.begin(k)) && regular;
  return regular;
}

void ContactStageSolver::keep_forces() {
  for (int c = 0; c < system_.count(); ++c) contacts_.contacts()[c].force = force_.col(c);
}

void ContactStageSolver::look(int iteration) {
  const bool is_due =
      is_look_due_ || iteration < kFirstLooks || unseen_ > kMotionPerLook * contacts_.gap();
  changed_ = false;
  if (is_due) {
    unseen_ = 0;
    group_.store(points_);
    changed_ = contacts_.look(points_, iteration < kFirstLooks) || is_look_due_;
    is_look_due_ = false;
  } else {
    system_.store_touched(points_);
    contacts_.follow(points_);
  }
  if (!changed_) return;
  system_.set_contacts(contacts_.contacts());
  force_.resize(3, system_.count());
  for (int c = 0; c < system_.count(); ++c) force_.col(c) = contacts_.contacts()[c].force;
}

void ContactStageSolver::set_residual() {
  residual_ = gradient_;
  system_.add_forces(-force_, residual_);
}

// Without contact in it. As long as the same contacts press, what the metric makes of the change
// follows from what it made of the residuals.
void ContactStageSolver::learn(bool same_contacts) {
  std::vector<double> change = gradient_;
  for (std::size_t i = 0; i < change.size(); ++i) change[i] -= last_gradient_[i];
  std::vector<double> preconditioned;
  if (same_contacts) {
    preconditioned = preconditioned_;
    for (std::size_t i = 0; i < change.size(); ++i) preconditioned[i] -= last_preconditioned_[i];
  } else {
    metric_.precondition(change, preconditioned);
  }
  metric_.learn(step_, change, preconditioned);
}

void ContactStageSolver::set_step(double tolerance, StageResult& result) {
  const int iteration = result.iterations;
  set_residual();
  {
    const Stopwatch watch(result.ms_global);
    metric_.precondition(residual_, preconditioned_);
    if (has_step_) learn(!changed_);
    step_ = preconditioned_;
    metric_.add_learnt(residual_, step_);
  }
  for (double& value : step_) value = -value;
  if (!system_.empty()) {
    const Stopwatch watch(result.ms_contact);
    const Points before = force_, way = system_.moves(step_);
    Points y = system_.places() + way;
    ConeSettings settings;
    settings.proximal = proximal_weight(iteration, system_.count());
    settings.forcing = kLinearForcing;
    settings.least_proximal = kFirmestProximal;
    settings.tolerance = std::max(cone_tolerance(tolerance, scale_.moved, contacts_.gap()),
                                  iteration > 0 ? cone_share(system_.count()) * largest_
                                                : kConesOfFirst * way.cwiseAbs().maxCoeff());
    settings.unseen = kUnseen * tolerance * contacts_.gap();
    settings.newton = kNewtonOfRound;
    settings.rounds = kRoundsOfCones;
    system_.solve(&metric_, contacts_.contacts(), settings, y, force_);
    std::vector<double> change(gradient_.size(), 0.0), answer;
    system_.add_forces(force_ - before, change);
    metric_.precondition(change, answer);
    for (std::size_t i = 0; i < change.size(); ++i) {
      residual_[i] -= change[i];
      preconditioned_[i] -= answer[i];
    }
    metric_.add_learnt(change, answer);
    for (std::size_t i = 0; i < change.size(); ++i) step_[i] += answer[i];
    keep_forces();
  }
  slope_ = joined_dot(step_, residual_);
  largest_ = 0;
  for (const double value : step_) largest_ = std::max(largest_, std::abs(value));
}

void ContactStageSolver::move(double factor) {
  for (int k = 0; k < group_.count(); ++k) {
    std::vector<double>& x = group_.problem(k).x();
    const double* step = step_.data() + group_.begin(k);
    parallel_each(group_.begin(k + 1) - group_.begin(k), kJoinedGrain,
                  [&](std::ptrdiff_t i) { x[i] += factor * step[i]; });
  }
}

// False, and back where the step began, if no step is short enough.
bool ContactStageSolver::take_step(StageResult& result) {
  last_gradient_ = gradient_;
  last_preconditioned_ = preconditioned_;
  std::vector<double> forces(gradient_.size(), 0.0);
  system_.add_forces(force_, forces);
  move(1);
  for (int cuts = 0;; ++cuts) {
    const bool smooth = set_gradient(result);
    const double end = joined_dot(step_, gradient_) - joined_dot(step_, forces);
    const bool regular = smooth && std::isfinite(end);
    if (regular && end <= kOvershootInContact * std::abs(slope_)) {
      has_step_ = true;
      return true;
    }
    if (cuts == kMostCutsInContact) break;
    const double rest = regular ? std::abs(slope_) / (std::abs(slope_) + end) : 0.5;
    const double factor = std::clamp(rest, 0.1, 0.6);
    move(factor - 1);
    for (double& value : step_) value *= factor;
    slope_ *= factor;
  }
  move(-1);
  return false;
}

// In the norm of the inverse diagonal, relative to the change, with the forces of contact.
double ContactStageSolver::gradient_residual() const {
  std::vector<double> left = gradient_;
  system_.add_forces(-force_, left);
  double squared = 0;
  for (int k = 0; k < group_.count(); ++k) {
    const std::vector<double>& diagonal = group_.problem(k).matrix().diagonal();
    const double* own = left.data() + group_.begin(k);
    for (std::size_t v = 0; v < diagonal.size(); ++v)
      squared += Vec3::Map(own + 4 * v).squaredNorm() / diagonal[v];
  }
  return std::sqrt(squared) / scale_.change;
}

// How deep a contact is beyond its plane, as a part of the motion.
double ContactStageSolver::violation() const {
  double deepest = 0;
  const Points y = system_.places();
  for (int c = 0; c < system_.count(); ++c) {
    const ContactPlane& plane = contacts_.contacts()[c].plane;
    deepest = std::max(deepest, plane.offset - plane.normal.dot(y.col(c)));
  }
  return std::max(0.0, deepest - scale_.place_rounding) / scale_.moved;
}

// False if there are to be no more iterations.
bool ContactStageSolver::finish_iteration(const StageSettings& settings, StageResult& result) {
  const bool last = result.iterations == settings.iterations;
  const double enough = scale_.enough_for(settings.tolerance);
  const double unseen = kUnseen * settings.tolerance * contacts_.gap();
  const bool is_unseen = largest_ < unseen && violation() * scale_.moved < unseen;
  if (result.primal_residual > enough && !is_unseen && !last) return true;
  result.dual_residual = std::max(gradient_residual(), violation());
  result.converged =
      (result.primal_residual <= enough && result.dual_residual <= enough) || is_unseen;
  if (!result.converged) return !last;
  group_.store(points_);
  if (looks_back_++ < kMostLooksBack && contacts_.look_back(points_)) {
    result.converged = false;
    is_look_due_ = true;
    return !last;
  }
  return false;
}

// Weights are chosen anew, and what was learnt with the old ones is forgotten; false if the
// objective is not smooth there.
bool ContactStageSolver::refresh(StageResult& result) {
  const Stopwatch watch(result.ms_global);
  for (StageProblem* problem : group_.problems()) {
    problem->adapt_weights();
    problem->set_laplacian_frame();
  }
  metric_.begin(group_);
  has_step_ = false;
  is_look_due_ = true;
  return set_gradient(result);
}

// Obstacles are where they are, to the last bit.
void ContactStageSolver::leave_obstacles() {
  group_.store(points_);
  if (contacts_.look(points_, false)) system_.set_contacts(contacts_.contacts());
  system_.push_out(contacts_.contacts(), contacts_.gap());
}

// A guess may turn elements inside out that contact keeps whole; where the stage begins, they are.
bool ContactStageSolver::set_regular_start(StageResult& result) {
  for (int halvings = 0; !set_gradient(result); ++halvings) {
    if (halvings > kMostHalvings) return false;
    group_.go_back(halvings == kMostHalvings ? 1 : 0.5);
  }
  return true;
}

bool ContactStageSolver::solve(const StageSettings& settings, const CancelFunction& cancelled,
                               StageResult& result) {
  for (auto* joined : {&gradient_, &residual_, &preconditioned_, &step_})
    joined->assign(static_cast<std::size_t>(group_.size()), 0.0);
  for (StageProblem* problem : group_.problems())
    problem->chunks().for_each([](const TermChunk& c, std::size_t) { c.batch->forget(c.blocks); });
  scale_ = group_.scale();
  if (!set_regular_start(result)) return false;
  {
    const Stopwatch watch(result.ms_global);
    metric_.begin(group_);
  }
  while (result.iterations < settings.iterations) {
    if (cancelled && cancelled()) {
      result.cancelled = true;
      return true;
    }
    if (result.iterations > 0 && result.iterations % kPatienceInContact == 0 && !refresh(result))
      return false;
    {
      const Stopwatch watch(result.ms_contact);
      look(result.iterations);
    }
    set_step(settings.tolerance, result);
    if (!take_step(result)) return false;
    unseen_ += largest_;
    if (result.iterations++ < kFirstLooks) scale_ = group_.scale();
    result.primal_residual = std::sqrt(std::abs(slope_)) / scale_.change;
    if (!finish_iteration(settings, result)) break;
  }
  cut_back(group_, contacts_, points_, result);
  leave_obstacles();
  return true;
}

}  // namespace dashpot
