#include "solver/contact/cone_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/contact/cone_problem.h"
#include "solver/contact/cone_step.h"

namespace dashpot {
namespace {

// Up to so many rows, a factor of the whole matrix is cheaper than conjugate gradients.
constexpr int kMostWhole = 12;
// A round ends at this share of the residual it began with: the next one is centred better.
constexpr double kRoundShare = 0.1;
// Faces are kept if the residual falls to this share with them.
constexpr double kGoesOn = 0.5;
constexpr double kNewtonShare = 0.5;  // of the tolerance: what Newton steps aim at
// Rounds that are solved at once but leave more than this share of the residual are held back by
// their softness: the next ones are firmer, by this factor each. Where steps run out, softer again.
constexpr double kHeldBack = 0.3, kFirmer = 0.3;
// Rounds that leave more than this share get nowhere: contacts that say the same, but for their
// last digits, are never all right.
constexpr double kNowhere = 0.7;
constexpr int kAtOnce = 2;

// Where the merit is least along the step, to the digits that matter: Newton's method on its slope,
// which grows and is all but piecewise linear, with steep pieces where a stiff body touches.
double exact_length(const ConeProblem& problem, const Points& y, const Points& force,
                    const ConeStep& step) {
  constexpr int kMostTries = 30;
  constexpr double kFlat = 1e-2;  // of the slope at the beginning
  const auto at = [&](double a) { return problem.slope(a, y, force, step.step(), step.image()); };
  ConeProblem::Slope now = at(1);
  if (now.slope <= 0) return 1;
  const double flat = kFlat * std::abs(at(0).slope);
  double low = 0, high = 1, a = 1;
  for (int i = 0; i < kMostTries && std::abs(now.slope) > flat; ++i) {
    (now.slope > 0 ? high : low) = a;
    a -= now.slope / now.curvature;
    if (!(a > low && a < high)) a = 0.5 * (low + high);
    now = at(a);
  }
  return a;
}

}  // namespace

void ConeSolver::restart() {
  preconditioner_.forget();
  faces_.clear();
}

ConeResult ConeSolver::solve(const std::vector<ContactPlane>& planes,
                             const std::vector<double>& compliance, const ContactOperator& w,
                             const Eigen::SparseMatrix<double>& touched,
                             const ConeSettings& settings, std::vector<double>& slip, Points& y,
                             Points& force) {
  for (std::size_t c = 0; c < planes.size(); ++c)
    if (compliance[c] <= 0) force.col(static_cast<Eigen::Index>(c)).setZero();
  ConeProblem problem(planes, compliance);
  const double least = std::min(settings.least_proximal, settings.proximal);
  double proximal = settings.proximal, last_residual = std::numeric_limits<double>::infinity();
  ConeStep step;
  Eigen::MatrixXd whole, low_rank;  // W, where it is small, or its low rank
  const auto find_step = [&](bool has_begun) {
    if (problem.row_count() <= kMostWhole) {
      if (whole.size() == 0) whole = w.dense();
      return step.solve(problem, whole);
    }
    if (!has_begun) step.begin(problem, w);
    const std::vector<char> pressing = problem.pressing();
    // Where nothing presses, the step is known, and the factor will be wanted again.
    if (std::find(pressing.begin(), pressing.end(), 1) != pressing.end()) {
      preconditioner_.prepare(w.rows(), touched, compliance, proximal, pressing);
      if (low_rank.rows() == 0) low_rank = preconditioner_.missed(w.low_rank_part());
    }
    return step.solve(problem, w, preconditioner_, low_rank, settings.forcing);
  };
  ConeResult result;
  // Contacts mostly go on as they did: with the faces that they pressed on, one linear system is
  // all there is to solve.
  const auto go_on = [&](double residual) {
    if (faces_.size() != planes.size()) return residual;
    problem.evaluate_on(faces_, y, force);
    ++result.newton;
    const bool has_step = find_step(false);
    const Points next_y = y + step.image(), next_force = force + step.step();
    const double next = has_step ? problem.evaluate(next_y, next_force) : residual;
    if (next > kGoesOn * residual) return problem.evaluate(y, force);
    y = next_y;
    force = next_force;
    return next;
  };
  for (;;) {
    problem.recenter(y, force, proximal, slip);
    double residual = problem.evaluate(y, force);
    bool has_begun = residual <= settings.tolerance;
    if (has_begun) residual = std::max(residual, step.begin(problem, w));
    result.residual = residual;
    result.products = step.products();
    const bool gets_nowhere = residual > kNowhere * last_residual;
    if (residual <= settings.tolerance || (gets_nowhere && residual <= settings.unseen) ||
        result.newton >= settings.newton * settings.rounds) {
      faces_ = problem.faces();
      return result;
    }
    const int newton = result.newton;
    const bool is_held_back = residual > kHeldBack * last_residual;
    last_residual = residual;
    const double goal = std::max(kNewtonShare * settings.tolerance, kRoundShare * residual);
    if (result.newton == 0) {
      residual = go_on(residual);
      has_begun = false;
    }
    for (int i = 0; i < settings.newton && residual > goal; ++i) {
      ++result.newton;
      if (!find_step(has_begun)) break;
      has_begun = false;
      const double length = exact_length(problem, y, force, step);
      force += length * step.step();
      y += length * step.image();
      residual = problem.evaluate(y, force);
    }
    if (residual > goal)
      proximal = std::min(settings.proximal, proximal / kFirmer);
    else if (is_held_back && result.newton - newton <= kAtOnce)
      proximal = std::max(least, kFirmer * proximal);
  }
}

}  // namespace dashpot
