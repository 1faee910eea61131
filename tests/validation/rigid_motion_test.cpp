#include <gtest/gtest.h>

#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

double free_fall_error(Integrator integrator, double youngs) {
  Body body = make_body(box_mesh({4, 2, 2}, {1, 0.5, 0.5}), {Material::kNeoHookean, youngs, 0.4});
  const Vec3 start(1, 5, -2);
  body.velocity.colwise() = start;
  SolverSettings settings;
  settings.integrator = integrator;
  Simulation simulation(make_scene(body, settings));
  double worst = 0;
  for (int f = 1; f <= 48; ++f) {
    simulation.advance(1.0 / 24);
    const double t = f / 24.0;
    const Points path = body.position.colwise() + (start * t + settings.gravity * (t * t / 2));
    worst = std::max(worst, (simulation.state().x - path).cwiseAbs().maxCoeff());
  }
  return worst;
}

// Default settings: exactness must not cost iterations. 2 s of fall lead 20 m away.
TEST(FreeFall, OfTrBdf2IsExactToRounding) {
  for (const double youngs : {1e5, 1e8}) {
    const double error = free_fall_error(Integrator::kTrBdf2, youngs);
    std::cout << "  E = " << youngs << " Pa: largest error " << error << " m in 48 frames\n";
    EXPECT_LT(error, 1e-11);
  }
}

TEST(FreeFall, OfTheOtherSecondOrderRulesIsExactToRoundingToo) {
  for (Integrator integrator :
       {Integrator::kBdf2, Integrator::kBathe, Integrator::kMidpoint, Integrator::kTrapezoidal})
    EXPECT_LT(free_fall_error(integrator, 1e5), 1e-11) << name(integrator);
}

TEST(FreeFall, OfBackwardEulerIsHalfAStepAhead) {
  // g t dt / 2 after 2 s
  EXPECT_NEAR(free_fall_error(Integrator::kBackwardEuler, 1e5), 9.81 * 2 / 48, 1e-9);
}

class Momentum : public testing::TestWithParam<Integrator> {};

INSTANTIATE_TEST_SUITE_P(Integrators, Momentum, testing::ValuesIn(kAllIntegrators),
                         [](const auto& info) { return std::string(name(info.param)); });

Body crumpled_body() {
  RandomNumbers random(5);
  Body body = make_body(box_mesh({3, 2, 2}, {0.6, 0.4, 0.4}), {Material::kNeoHookean, 2e4, 0.3});
  const int points = body.mesh.point_count();
  body.position += 0.04 * random.points(points);
  body.velocity = affine_velocity(body.position, {0.3, 0.2, 0.2}, {1, -2, 5}, Mat3::Zero()) +
                  0.5 * random.points(points);
  return body;
}

// Whatever the solver leaves unsolved, forces of a body on itself sum to zero.
TEST_P(Momentum, LinearIsKeptToRoundingEvenIfTheBudgetIsTooSmall) {
  SolverSettings settings;
  settings.integrator = GetParam();
  settings.gravity.setZero();
  settings.iterations = 5;
  Simulation simulation(make_scene(crumpled_body(), settings));
  const Vec3 start = simulation.measure().all.linear_momentum;
  double scale = 0;  // sqrt(2 m K) for 96 kg, of the fastest frame: 5 iterations may let it go wild
  for (int f = 0; f < 24; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    scale = std::max(scale, std::sqrt(2 * 96 * report.all.kinetic));
    EXPECT_LT((report.all.linear_momentum - start).norm(), 1e-12 * scale);
  }
}

TEST_P(Momentum, AngularDriftsOnlyAsTheRuleDoes) {
  SolverSettings settings = exact_settings(GetParam());
  settings.gravity.setZero();
  double drift[2];
  for (int k = 0; k < 2; ++k) {
    settings.substeps = 4 << k;
    Simulation simulation(make_scene(crumpled_body(), settings));
    const Vec3 start = simulation.measure().all.angular_momentum;
    FrameReport report;
    for (int f = 0; f < 12; ++f) report = simulation.advance(1.0 / 24);
    drift[k] = (report.all.angular_momentum - start).norm() / start.norm();
  }
  std::cout << "  " << name(GetParam()) << ": |L - L0| / |L0| = " << drift[0] << " at 1/96 s, "
            << drift[1] << " at 1/192 s\n";
  if (GetParam() == Integrator::kMidpoint) {
    EXPECT_LT(drift[0], 1e-9);  // a quadratic invariant
  } else if (GetParam() == Integrator::kBackwardEuler) {
    EXPECT_LT(drift[1], 0.7 * drift[0]);
  } else {
    EXPECT_LT(drift[0], 0.02);
    EXPECT_LT(drift[1], 0.35 * drift[0]);
  }
}

}  // namespace
}  // namespace dashpot
