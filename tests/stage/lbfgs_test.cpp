#include "solver/stage/lbfgs.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr int kUnknowns = 12;
using Unknowns = Eigen::Matrix<double, kUnknowns, 1>;
using UnknownsMatrix = Eigen::Matrix<double, kUnknowns, kUnknowns>;

struct Quadratic {
  UnknownsMatrix hessian, near;  // A is near the Hessian
  Unknowns start;

  Quadratic() {
    RandomNumbers random(11);
    const auto any = [&] {
      UnknownsMatrix m;
      for (int k = 0; k < m.size(); ++k) m(k) = random.next();
      return m;
    };
    const UnknownsMatrix a = any(), b = any();
    hessian = a * a.transpose() + UnknownsMatrix::Identity();
    near = hessian + 0.3 * b * b.transpose() + 0.5 * UnknownsMatrix::Identity();
    for (int k = 0; k < kUnknowns; ++k) start[k] = random.next();
  }
  Unknowns gradient(const Unknowns& x) const { return hessian * x; }
};

Unknowns step_from(Lbfgs& newton, const Quadratic& f, const Unknowns& x) {
  const Unknowns g = f.gradient(x), solved = f.near.ldlt().solve(g);
  for (int k = 0; k < kUnknowns; ++k) {
    newton.gradient()[k] = g[k];
    newton.preconditioned()[k] = solved[k];
  }
  const std::vector<double>& step = newton.next_step();
  return Unknowns::Map(step.data());
}

void set_gradient(Lbfgs& newton, const Unknowns& g) {
  for (int k = 0; k < kUnknowns; ++k) newton.gradient()[k] = g[k];
}

class QuasiNewtonOfAQuadratic : public testing::Test {
 protected:
  QuasiNewtonOfAQuadratic() { newton.resize(kUnknowns); }

  const Quadratic f;
  Lbfgs newton;
};

// H by the formula, from all pairs, oldest first.
UnknownsMatrix bfgs_inverse(const UnknownsMatrix& near, const std::vector<Unknowns>& s,
                            const std::vector<Unknowns>& y) {
  UnknownsMatrix h = near.inverse();
  for (std::size_t k = 0; k < s.size(); ++k) {
    const double rho = 1 / s[k].dot(y[k]);
    const UnknownsMatrix left = UnknownsMatrix::Identity() - rho * s[k] * y[k].transpose();
    h = left * h * left.transpose() + rho * s[k] * s[k].transpose();
  }
  return h;
}

TEST_F(QuasiNewtonOfAQuadratic, TakesTheStepsOfDenseBfgsFromTheLastPairs) {
  Unknowns x = f.start;
  std::vector<Unknowns> s, y;
  for (int k = 0; k < kUnknowns; ++k) {
    const Unknowns expected = -bfgs_inverse(f.near, s, y) * f.gradient(x);
    const Unknowns step = step_from(newton, f, x);
    ASSERT_LT((step - expected).norm(), 1e-9 * expected.norm()) << "step " << k;
    EXPECT_NEAR(newton.slope(), step.dot(f.gradient(x)), 1e-9 * std::abs(newton.slope()));
    // Half steps: BFGS with exact steps would be done too soon.
    newton.scale_step(0.5);
    s.push_back(0.5 * step);
    y.push_back(f.hessian * s.back());
    x += s.back();
    if (s.size() > Lbfgs::kPairs) {
      s.erase(s.begin());
      y.erase(y.begin());
    }
  }
}

TEST_F(QuasiNewtonOfAQuadratic, FindsTheMinimumOfAQuadratic) {
  Unknowns x = f.start;
  for (int k = 0; k < 40; ++k) x += step_from(newton, f, x);
  EXPECT_LT(x.norm(), 1e-8 * f.start.norm());
}

TEST_F(QuasiNewtonOfAQuadratic, SlopeAtTheEndIsThatOfTheNewGradient) {
  const Unknowns step = step_from(newton, f, f.start), g = f.gradient(f.start + step);
  set_gradient(newton, g);
  EXPECT_NEAR(newton.slope_at_end(), g.dot(step), 1e-12 * g.norm() * step.norm());
}

// Where the force falls along the step, the pair would make H indefinite.
TEST_F(QuasiNewtonOfAQuadratic, DoesNotLearnFromAStepOverAHill) {
  const Unknowns step = step_from(newton, f, f.start);
  const Unknowns g = f.gradient(f.start) - f.hessian * step, solved = f.near.ldlt().solve(g);
  set_gradient(newton, g);
  for (int k = 0; k < kUnknowns; ++k) newton.preconditioned()[k] = solved[k];
  const Unknowns next = Unknowns::Map(newton.next_step().data());
  EXPECT_LT((next + solved).norm(), 1e-12 * solved.norm());
}

TEST_F(QuasiNewtonOfAQuadratic, RestartForgetsAllSteps) {
  Unknowns x = f.start;
  for (int k = 0; k < 5; ++k) x += step_from(newton, f, x);
  newton.restart();
  const Unknowns plain = -f.near.ldlt().solve(f.gradient(x));
  EXPECT_LT((step_from(newton, f, x) - plain).norm(), 1e-12 * plain.norm());
}

}  // namespace
}  // namespace dashpot
