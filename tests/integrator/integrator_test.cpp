#include "solver/integrator/integrator.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/integrator/scalar_oscillator.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

const double kTrBdf2Alpha = 1 - 1 / std::sqrt(2.0);

class EveryIntegrator : public testing::TestWithParam<Integrator> {
 protected:
  const IntegratorRule& rule() const { return rule_; }
  bool second_order() const { return GetParam() != Integrator::kBackwardEuler; }

 private:
  IntegratorRule rule_ = integrator_rule(GetParam());
};

INSTANTIATE_TEST_SUITE_P(Rules, EveryIntegrator, testing::ValuesIn(kAllIntegrators),
                         [](const auto& info) { return std::string(name(info.param)); });

// A body that rests stays: the weights of past positions sum to one.
TEST_P(EveryIntegrator, WeightsOfPastPositionsSumToOne) {
  for (int s = 0; s < rule().stage_count; ++s) {
    const StageRule& stage = rule().stages[s];
    EXPECT_NEAR(stage.step + stage.stage + stage.previous, 1, 1e-15) << "stage " << s;
  }
}

TEST_P(EveryIntegrator, LastStageEndsWithTheStepOnceExtrapolated) {
  const StageRule& last = rule().stages[rule().stage_count - 1];
  EXPECT_DOUBLE_EQ(last.end * rule().extrapolation, 1);
}

TEST_P(EveryIntegrator, OnlyBdf2LooksBackBeyondTheStep) {
  bool looks_back = false;
  for (int s = 0; s < rule().stage_count; ++s) looks_back |= rule().stages[s].previous != 0;
  EXPECT_EQ(looks_back, GetParam() == Integrator::kBdf2);
  EXPECT_EQ(rule().needs_previous, looks_back);
}

TEST(IntegratorRule, AlphasAreThoseOfTheMethods) {
  const auto alpha = [](Integrator i, int stage) { return integrator_rule(i).stages[stage].alpha; };
  EXPECT_EQ(alpha(Integrator::kBackwardEuler, 0), 1);
  EXPECT_DOUBLE_EQ(alpha(Integrator::kBdf2, 0), 2.0 / 3);
  EXPECT_EQ(alpha(Integrator::kMidpoint, 0), 0.5);
  EXPECT_EQ(alpha(Integrator::kTrapezoidal, 0), 0.5);
  EXPECT_DOUBLE_EQ(alpha(Integrator::kBathe, 0), 0.25);
  EXPECT_DOUBLE_EQ(alpha(Integrator::kBathe, 1), 1.0 / 3);
}

// Two Euler stages take the place of the trapezoidal one, over the same time, with its factor.
TEST_P(EveryIntegrator, WithoutFirstForceDoesNotLookAtIt) {
  const IntegratorRule other = without_first_force(rule());
  for (int s = 0; s < other.stage_count; ++s) {
    const StageRule& stage = other.stages[s];
    EXPECT_EQ(stage.rate, 0);
    EXPECT_NEAR(stage.step + stage.stage + stage.previous, 1, 1e-15);
  }
  const bool had_force = rule().stages[0].rate != 0;
  ASSERT_EQ(other.stage_count, rule().stage_count + had_force);
  EXPECT_EQ(other.stages[0].alpha, rule().stages[0].alpha);
  EXPECT_EQ(other.stages[had_force].end, rule().stages[0].end);
  EXPECT_EQ(other.stages[other.stage_count - 1].end, rule().stages[rule().stage_count - 1].end);
}

TEST(IntegratorRule, BothStagesOfTrBdf2ShareOneAlpha) {
  const IntegratorRule rule = integrator_rule(Integrator::kTrBdf2);
  ASSERT_EQ(rule.stage_count, 2);
  EXPECT_DOUBLE_EQ(rule.stages[0].alpha, kTrBdf2Alpha);
  EXPECT_DOUBLE_EQ(rule.stages[1].alpha, kTrBdf2Alpha);
}

// Alphas that differed in their last bit would make two matrices of one.
TEST(IntegratorRule, BothStagesOfTrBdf2ShareOneFactor) {
  const IntegratorRule rule = integrator_rule(Integrator::kTrBdf2);
  EXPECT_EQ(rule.stages[0].alpha, rule.stages[1].alpha);
}

// The BDF2 weights of Brown et al. 2018 (36), where (34) has a slip.
TEST(IntegratorRule, TrBdf2WeightsAreThoseOfTheCorrectedPaper) {
  const StageRule stage = integrator_rule(Integrator::kTrBdf2).stages[1];
  EXPECT_NEAR(stage.stage, 0.5 + 1 / std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(stage.step, 0.5 - 1 / std::sqrt(2.0), 1e-15);
}

// Positions and velocities of x(t) = c0 + c1 t + c2 t^2 at the instants that a stage knows must
// give its velocity at the end of the stage; with a constant force, the stage's minimiser is then
// x~ itself.
struct Polynomial {
  double c0, c1, c2;
  Points x(double t) const { return Points(Vec3(c0 + c1 * t + c2 * t * t, 0, 0)); }
  Points v(double t) const { return Points(Vec3(c1 + 2 * c2 * t, 0, 0)); }
  Points a() const { return Points(Vec3(2 * c2, 0, 0)); }
};

struct StageError {
  double x, v;
};

StageError stage_error(const IntegratorRule& rule, int s, const Polynomial& path, double dt) {
  const double t = 0.7, inner = s == 0 ? 0 : rule.stages[0].end;
  const Points x = path.x(t), v = path.v(t), a = path.a(), x_stage = path.x(t + inner * dt),
               v_stage = path.v(t + inner * dt), x_old = path.x(t - dt), v_old = path.v(t - dt);
  const History history{x, v, a, x_stage, v_stage, a, x_old, v_old};
  const Stage stage = make_stage(rule.stages[s], dt, history, a);
  const double end = t + rule.stages[s].end * dt;
  return {(stage.x_tilde - path.x(end)).norm(),
          ((stage.x_tilde - stage.x_p) / stage.h - path.v(end)).norm()};
}

TEST_P(EveryIntegrator, StagesAreExactForUniformMotion) {
  for (int s = 0; s < rule().stage_count; ++s) {
    const StageError error = stage_error(rule(), s, {3, -2, 0}, 0.31);
    EXPECT_LT(error.x, 4e-15);
    EXPECT_LT(error.v, 2e-14);
  }
}

TEST_P(EveryIntegrator, SecondOrderStagesAreExactForUniformAcceleration) {
  // Midpoint's stage is a first-order one that its extrapolation completes.
  const bool exact = second_order() && GetParam() != Integrator::kMidpoint;
  for (int s = 0; s < rule().stage_count; ++s) {
    const StageError error = stage_error(rule(), s, {3, -2, 5}, 0.31);
    if (exact) {
      EXPECT_LT(error.x, 4e-15);
      EXPECT_LT(error.v, 2e-14);
    } else {
      EXPECT_GT(error.x, 0.1);
    }
  }
}

TEST_P(EveryIntegrator, GravityActsOverTheWholeStage) {
  const Points zero = Points::Zero(3, 2);
  const History at_rest{zero, zero, zero, zero, zero, zero, zero, zero};
  const Vec3 gravity(1, -9.81, 2);
  for (int s = 0; s < rule().stage_count; ++s) {
    const Stage stage = make_stage(rule().stages[s], 0.5, at_rest, gravity);
    EXPECT_DOUBLE_EQ(stage.h, 0.5 * rule().stages[s].alpha);
    for (int i = 0; i < 2; ++i)
      EXPECT_LT((stage.x_tilde.col(i) - stage.h * stage.h * gravity).norm(), 1e-15);
  }
}

double oscillator_error(Integrator integrator, double c, int steps) {
  // x'' = -x - c x', x(0) = 1, v(0) = 0.3
  const double x0 = 1, v0 = 0.3, end = 3;
  ScalarOscillator oscillator(1, c, x0, v0);
  for (int s = 0; s < steps; ++s) oscillator.step(integrator, end / steps);
  const double rate = c / 2, omega = std::sqrt(1 - rate * rate), b = (v0 + rate * x0) / omega;
  const double cosine = std::cos(omega * end), sine = std::sin(omega * end);
  const double decay = std::exp(-rate * end);
  const double x = decay * (x0 * cosine + b * sine);
  const double v = decay * (omega * (b * cosine - x0 * sine)) - rate * x;
  return std::hypot(oscillator.x() - x, oscillator.v() - v);
}

TEST_P(EveryIntegrator, HasItsOrderOnTheOscillator) {
  for (const double damping : {0.0, 0.4}) {
    const double coarse = oscillator_error(GetParam(), damping, 400);
    const double fine = oscillator_error(GetParam(), damping, 800);
    const double order = std::log2(coarse / fine);
    RecordProperty(damping == 0 ? "order" : "order_damped", std::to_string(order));
    EXPECT_NEAR(order, second_order() ? 2 : 1, 0.02) << "damping " << damping;
  }
}

double energy_after(Integrator integrator, double omega_dt, int steps) {
  ScalarOscillator oscillator(1, 0, 1, 0);
  const double start = oscillator.energy();
  for (int s = 0; s < steps; ++s) oscillator.step(integrator, omega_dt);
  return oscillator.energy() / start;
}

TEST_P(EveryIntegrator, NeverCreatesEnergyWhateverTheStep) {
  for (double omega_dt = 1e-3; omega_dt < 1e5; omega_dt *= 1.7)
    EXPECT_LE(energy_after(GetParam(), omega_dt, 500), 1 + 1e-9) << "omega dt = " << omega_dt;
}

TEST(Midpoint, KeepsTheEnergyOfALinearOscillator) {
  for (const double omega_dt : {0.1, 1.0, 10.0})
    EXPECT_NEAR(energy_after(Integrator::kMidpoint, omega_dt, 1000), 1, 1e-11);
}

TEST(Trapezoidal, KeepsTheEnergyOfALinearOscillator) {
  for (const double omega_dt : {0.1, 1.0, 10.0})
    EXPECT_NEAR(energy_after(Integrator::kTrapezoidal, omega_dt, 1000), 1, 1e-11);
}

TEST_P(EveryIntegrator, ForgetsStiffModesExceptMidpointAndTrapezoidal) {
  const bool keeps = GetParam() == Integrator::kMidpoint || GetParam() == Integrator::kTrapezoidal;
  const double left = energy_after(GetParam(), 1e4, 4);
  if (keeps)
    EXPECT_NEAR(left, 1, 1e-6);
  else
    EXPECT_LT(left, 1e-7);
}

// The amplification of one TR-BDF2 step is that of its Butcher tableau with diagonal alpha:
// R(z) = (1 + (1 - 2 alpha) z) / (1 - alpha z)^2.
TEST(TrBdf2, AmplifiesAsItsStabilityFunctionSays) {
  for (const double omega_dt : {0.05, 0.5, 2.0, 30.0}) {
    const double a = kTrBdf2Alpha;
    const double gain =
        (1 + std::pow((1 - 2 * a) * omega_dt, 2)) / std::pow(1 + std::pow(a * omega_dt, 2), 2);
    EXPECT_NEAR(energy_after(Integrator::kTrBdf2, omega_dt, 1), gain, 1e-13);
  }
}

// Brown et al. 2018's claim, on one mode and at equal cost: BE and BDF2 take two steps for one of
// TR-BDF2.
TEST(TrBdf2, LosesLessThanBdf2AndBackwardEulerAtEqualCost) {
  for (const double omega_dt : {0.1, 0.3, 1.0}) {
    const int steps = 20;
    const double loss = 1 - energy_after(Integrator::kTrBdf2, omega_dt, steps);
    EXPECT_LT(loss, 1 - energy_after(Integrator::kBdf2, omega_dt / 2, 2 * steps));
    EXPECT_LT(loss, 1 - energy_after(Integrator::kBackwardEuler, omega_dt / 2, 2 * steps));
  }
}

// Three steps of backward Euler in one: what a step falls back to must not depend on forces or on a
// past.
TEST(ShortEuler, IsThreeStepsOfBackwardEuler) {
  ScalarOscillator one(40, 0.5, 1, 0.3), three = one;
  one.step(short_euler_rule(), 0.3);
  for (int s = 0; s < 3; ++s) three.step(Integrator::kBackwardEuler, 0.1);
  EXPECT_NEAR(one.x(), three.x(), 1e-14);
  EXPECT_NEAR(one.v(), three.v(), 1e-14);
}

}  // namespace
}  // namespace dashpot
