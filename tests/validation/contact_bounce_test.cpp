// Restitution: Brown et al. 2018 section 8 names it as unsolved for TR-BDF2.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/simulation/simulation.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kBallRadius = 0.1;
constexpr double kStiffBall = 1e10;  // Pa: the ball's slowest vibration takes 0.1 ms

struct Bounce {
  double rebound = 0;  // how high the lowest point gets again, m
  double gain = 0;     // the largest increase of energy in a frame, J
  double start = 0;    // energy at the start, J
  double at_rest = 0;  // largest speed of a point in the last quarter, m/s
};

// A ball dropped from `height` onto a floor.
Bounce drop(double youngs, double restitution, double step, const SolverSettings& settings = {},
            double height = 1, double duration = 1.5) {
  Body ball = make_body(ball_mesh(4, kBallRadius), {Material::kNeoHookean, youngs, 0.3});
  ball.position.row(1).array() += height + kBallRadius;
  Scene scene = make_scene(ball, settings);
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.3, restitution));
  Simulation simulation(scene);
  Bounce bounce;
  double energy = bounce.start = simulation.measure().energy.total;
  bool hit = false;
  const int frames = static_cast<int>(std::lround(duration / step));
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = simulation.advance(step);
    hit = hit || report.contact.normal_impulse > 0;
    if (hit) bounce.rebound = std::max(bounce.rebound, report.all.center_of_mass.y() - kBallRadius);
    bounce.gain = std::max(bounce.gain, report.energy.total - energy);
    energy = report.energy.total;
    if (f >= 3 * frames / 4)
      bounce.at_rest = std::max(bounce.at_rest, simulation.state().v.colwise().norm().maxCoeff());
  }
  EXPECT_TRUE(hit);
  return bounce;
}

TEST(ContactBounce, AStiffBallReboundsToTheSquareOfRestitution) {
  for (const double e : {0.0, 0.25, 0.5, 0.75})
    for (const double fps : {24.0, 48.0, 96.0}) {
      const Bounce bounce = drop(kStiffBall, e, 1 / fps);
      EXPECT_NEAR(bounce.rebound, e * e, 0.05) << "e = " << e << ", step 1/" << fps;
      EXPECT_LT(bounce.gain, 1e-6 * bounce.start) << "e = " << e << ", step 1/" << fps;
    }
}

TEST(ContactBounce, RestitutionOneReturnsWhatTheIntegratorCan) {
  EXPECT_NEAR(drop(kStiffBall, 1, 1.0 / 48).rebound, 1, 0.05);
}

// Wherever within a step the ball arrives.
TEST(ContactBounce, DoesNotDependOnTheMomentOfTheHit) {
  for (int phase = 0; phase < 8; ++phase) {
    const double height = 1 + 0.023 * phase;
    EXPECT_LT(drop(kStiffBall, 0, 1.0 / 24, {}, height, 1).rebound, 0.002) << height;
    EXPECT_NEAR(drop(kStiffBall, 0.5, 1.0 / 24, {}, height, 1.1).rebound, 0.25 * height,
                0.02 * height)
        << height;
  }
}

TEST(ContactBounce, EveryIntegratorStopsAStiffBall) {
  for (const Integrator integrator : kAllIntegrators) {
    SolverSettings settings;
    settings.integrator = integrator;
    const Bounce stop = drop(kStiffBall, 0, 1.0 / 24, settings, 1, 1);
    EXPECT_LT(stop.rebound, 0.01) << name(integrator);
    // Backward Euler also loses height on the way down and up: 4 % of it at this step.
    const Bounce half = drop(kStiffBall, 0.5, 1.0 / 96, settings, 1, 1.1);
    EXPECT_NEAR(half.rebound, 0.25, 0.05) << name(integrator);
  }
}

TEST(ContactBounce, ComesToRestWithoutJitter) {
  for (const double youngs : {1e5, kStiffBall}) {
    Body block =
        make_body(box_mesh({3, 3, 3}, Vec3::Constant(0.2)), {Material::kNeoHookean, youngs, 0.3});
    block.position.row(1).array() += 0.1;
    block.fields.set("dampingmodel", 5, "block");
    block.fields.set("dampingstrength", youngs * 0.005, "block");
    Scene scene = make_scene(block, {});
    scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.5, 0.3));
    Simulation simulation(scene);
    for (int f = 0; f < 72; ++f) simulation.advance(1.0 / 24);
    EXPECT_LT(simulation.state().v.colwise().norm().maxCoeff(), 1e-5) << youngs;
  }
}

// Its own elasticity brings a soft ball back, as much at any restitution as small steps say.
TEST(ContactBounce, ASoftBallBouncesByItself) {
  const double fine = drop(1e5, 0, 1.0 / 768, {}, 1, 1).rebound;
  EXPECT_GT(fine, 0.3);
  EXPECT_LT(fine, 0.9);
  for (const double e : {0.0, 0.5, 1.0}) {
    const auto off = [&](double fps) { return fine - drop(1e5, e, 1 / fps, {}, 1, 1).rebound; };
    const double at_48 = off(48), at_96 = off(96), at_192 = off(192);
    EXPECT_LT(at_48, 0.15) << "e = " << e;
    EXPECT_LT(std::abs(at_96), std::max(0.5 * std::abs(at_48), 0.02)) << "e = " << e;
    EXPECT_LT(std::abs(at_192), std::max(0.5 * std::abs(at_96), 0.02)) << "e = " << e;
    EXPECT_GT(at_48, -0.02) << "e = " << e;
  }
}

TEST(ContactBounce, NeverAddsEnergy) {
  for (const double youngs : {1e4, 3e4, 1e5, 1e6, 1e7, 1e8})
    for (const double e : {0.0, 0.5, 1.0})
      for (const double fps : {24.0, 96.0}) {
        const Bounce bounce = drop(youngs, e, 1 / fps, {}, 1, 1);
        EXPECT_LT(bounce.rebound, 1.001) << youngs << " Pa, e = " << e << ", 1/" << fps;
        // Steps of large soft vibration in free flight have an error of their own.
        EXPECT_LT(bounce.gain, 0.015 * bounce.start) << youngs << " Pa, e = " << e << ", 1/" << fps;
      }
}

}  // namespace
}  // namespace dashpot
