#include "solver/contact/cone_newton.h"

#include <algorithm>
#include <cmath>

#include "solver/contact/cone_problem.h"
#include "solver/contact/cone_step.h"

namespace dashpot {
namespace {

// Up to so many rows, a factor of the whole matrix is cheaper than conjugate gradients.
constexpr int kMostWhole = 12;
// A round ends at this share of the residual it began with: the next one is centred better.
constexpr double kRoundShare = 0.1;

// Where the merit is least along the step, to the digits that matter: its slope grows.
double exact_length(const ConeProblem& problem, const Points& y, const Points& force,
                    const ConeStep& step) {
  constexpr int kMostTries = 12;
  constexpr double kFlat = 1e-2;  // of the slope at the beginning
  const auto slope = [&](double a) { return problem.slope(a, y, force, step.step, step.image); };
  double high = 1, slope_high = slope(1);
  if (slope_high <= 0) return 1;
  double low = 0, slope_low = slope(0);
  const double flat = kFlat * std::abs(slope_low);
  if (slope_high <= flat) return 1;
  for (int i = 0; i < kMostTries; ++i) {
    // Between the secant and the middle, so that both ends move.
    const double secant = low + (high - low) * slope_low / (slope_low - slope_high);
    const double a = slope_low < 0 && i % 3 != 2 ? secant : 0.5 * (low + high);
    const double s = slope(a);
    if (std::abs(s) <= flat) return a;
    if (s > 0) {
      high = a;
      slope_high = s;
    } else {
      low = a;
      slope_low = s;
    }
  }
  return low;
}

}  // namespace

void ConeSolver::restart() {
  preconditioner_.forget();
}

ConeResult ConeSolver::solve(const std::vector<ContactPlane>& planes,
                             const std::vector<double>& compliance, const ContactOperator& w,
                             const Eigen::SparseMatrix<double>& touched,
                             const ConeSettings& settings, std::vector<double>& slip, Points& y,
                             Points& force) {
  ConeProblem problem(planes, compliance, settings.proximal);
  ConeResult result;
  ConeStep step;
  const bool is_whole = problem.row_count() <= kMostWhole;
  Eigen::MatrixXd whole;
  std::vector<char> pressing(planes.size());
  for (int c = 0; c < problem.row_count(); ++c)
    if (compliance[c] <= 0) force.col(c).setZero();
  for (int round = 0;; ++round) {
    problem.recenter(y, force, slip);
    double residual = problem.evaluate(y, force);
    result.residual = residual;
    if (residual <= settings.tolerance || round == settings.rounds) return result;
    const double goal = std::max(0.5 * settings.tolerance, kRoundShare * residual);
    for (int i = 0; i < settings.newton && residual > goal; ++i) {
      if (is_whole) {
        if (whole.size() == 0) {
          whole = w.dense();
          result.products += (problem.row_count() + 2) / 3;
        }
        step.solve(problem, whole);
      } else {
        for (std::size_t c = 0; c < pressing.size(); ++c) pressing[c] = problem.is_pressing(c);
        preconditioner_.prepare(w.rows(), touched, compliance, settings.proximal, pressing);
        step.solve(problem, w, preconditioner_, settings.forcing, 0.1 * settings.tolerance);
      }
      ++result.newton;
      result.products += step.products;
      const double length = exact_length(problem, y, force, step);
      force += length * step.step;
      y += length * step.image;
      residual = problem.evaluate(y, force);
    }
  }
}

}  // namespace dashpot
