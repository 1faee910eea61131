// What friction does to blocks, against the theory of rigid blocks (Brown et al. 2018 section 7.1).
#include <gtest/gtest.h>

#include <cmath>

#include "solver/simulation/simulation.h"
#include "tests/support/colliders.h"
#include "tests/support/level_sets.h"

namespace dashpot {
namespace {

constexpr double kSlideGravity = 9.81, kSlideStep = 1.0 / 24;

Body stiff_block(const Vec3& size = {1, 0.5, 1}, double youngs = 1e7) {
  return make_body(box_mesh({4, 2, 4}, size), {Material::kNeoHookean, youngs, 0.3});
}

SceneCollider level_set_floor(double friction) {
  SceneCollider collider = make_plane(Vec3::Zero(), Vec3::UnitY(), friction);
  collider.collider.shape = level_floor(0, 6, 0.1);
  return collider;
}

// Deceleration of a block that slides for `frames` frames from 4 m/s.
double deceleration(const SceneCollider& floor, const SolverSettings& settings, int frames = 10) {
  Body block = stiff_block();
  block.velocity.row(0).setConstant(4);
  const double mass = total_mass(block);
  Scene scene = make_scene(block, settings);
  scene.colliders.push_back(floor);
  Simulation simulation(scene);
  double first = 0, last = 0;
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = simulation.advance(kSlideStep);
    last = report.all.linear_momentum.x() / mass;
    if (f == 1) first = last;
    EXPECT_LE(report.contact.friction_use, 1 + 1e-12);
    EXPECT_LT(report.contact.penetration, 1e-8);  // 2e-9 with five iterations
  }
  return (first - last) / ((frames - 2) * kSlideStep);
}

// Brown et al. 2018 Fig. 4.
TEST(ContactFriction, ASlidingBlockSlowsDownByMuG) {
  for (const double mu : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8}) {
    const double plane = deceleration(make_plane(Vec3::Zero(), Vec3::UnitY(), mu), {});
    EXPECT_NEAR(plane / (mu * kSlideGravity), 1, 0.01) << "plane, mu = " << mu;
    const double level_set = deceleration(level_set_floor(mu), {});
    EXPECT_NEAR(level_set / (mu * kSlideGravity), 1, 0.01) << "level set, mu = " << mu;
  }
}

TEST(ContactFriction, ThatDoesNotDependOnIterations) {
  for (const int iterations : {5, 10, 40, 160}) {
    SolverSettings settings;
    settings.iterations = iterations;
    settings.tolerance = 0;
    const double a = deceleration(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.2), settings);
    EXPECT_NEAR(a / (0.2 * kSlideGravity), 1, 0.01) << iterations;
  }
}

TEST(ContactFriction, EveryIntegratorSlidesAlike) {
  for (const Integrator integrator : kAllIntegrators) {
    SolverSettings settings;
    settings.integrator = integrator;
    const double a = deceleration(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.2), settings);
    EXPECT_NEAR(a / (0.2 * kSlideGravity), 1, 0.01) << name(integrator);
  }
}

// A block on a slope of `angle` against the floor; x runs down along it.
struct Slope {
  Vec3 down, normal;
  Scene scene;

  Slope(double angle, double mu, Body block)
      : down(std::cos(angle), -std::sin(angle), 0), normal(std::sin(angle), std::cos(angle), 0) {
    Mat3 rotation;
    rotation << down.x(), normal.x(), 0, down.y(), normal.y(), 0, 0, 0, 1;
    block.position = rotation * block.position;
    // Keeps what the start makes it swing from lasting.
    block.fields.set("dampingmodel", 5, "block");
    block.fields.set("dampingstrength", 2e4, "block");
    scene = make_scene(block, {});
    scene.colliders.push_back(make_plane(Vec3::Zero(), normal, mu));
  }
};

TEST(ContactFriction, ABlockOnAGentleSlopeStays) {
  for (const double mu : {0.2, 0.5, 0.8}) {
    Slope slope(0.95 * std::atan(mu), mu, stiff_block());
    Simulation simulation(slope.scene);
    for (int f = 0; f < 24; ++f) simulation.advance(kSlideStep);
    const Points settled = simulation.state().x;
    for (int f = 0; f < 240; ++f) simulation.advance(kSlideStep);
    const double drift = (simulation.state().x - settled).colwise().norm().maxCoeff();
    EXPECT_LT(drift, 1e-6) << "of its size of 1 m, mu = " << mu;
  }
}

TEST(ContactFriction, ABlockOnASteepSlopeSlidesWithTheAccelerationOfTheory) {
  for (const double mu : {0.2, 0.5, 0.8}) {
    const double angle = 1.05 * std::atan(mu);
    Slope slope(angle, mu, stiff_block());
    Simulation simulation(slope.scene);
    const double mass = total_mass(slope.scene.bodies[0]);
    double first = 0, last = 0;
    for (int f = 0; f < 72; ++f) {
      last = simulation.advance(kSlideStep).all.linear_momentum.dot(slope.down) / mass;
      if (f == 23) first = last;
    }
    const double theory = kSlideGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR((last - first) / (48 * kSlideStep) / theory, 1, 0.02) << "mu = " << mu;
  }
}

// Two walls press a block from both sides; nothing carries it but friction.
TEST(ContactFriction, APinchedBlockIsHeldWithoutCreep) {
  Body block = make_body(box_mesh({4, 4, 4}, Vec3::Ones()), {Material::kNeoHookean, 1e6, 0.3});
  Scene scene = make_scene(block, {});
  // Each wall comes in by 1 cm within a second, then stays.
  for (const double side : {-1.0, 1.0}) {
    SceneCollider wall = make_plane({side > 0 ? 1.0 : 0.0, 0, 0}, {-side, 0, 0}, 0.8);
    RigidMotion motion;
    motion.velocity = Vec3(-0.01 * side, 0, 0);
    motion.end = 1;
    wall.motion.push_back(motion);
    scene.colliders.push_back(wall);
  }
  scene.settings.gravity.setZero();
  Simulation squeeze(scene);
  for (int f = 0; f < 30; ++f) squeeze.advance(kSlideStep);
  // Pressed: 2e4 Pa on a square metre, and 0.8 of it on two sides is more than the weight.
  scene.settings.gravity = Vec3(0, -kSlideGravity, 0);
  scene.bodies[0].fields.set("dampingmodel", 5, "block");
  scene.bodies[0].fields.set("dampingstrength", 1e4, "block");
  Simulation hold(scene);
  hold.restore(squeeze.state());
  for (int f = 0; f < 48; ++f) hold.advance(kSlideStep);
  const Points settled = hold.state().x;
  for (int f = 0; f < 240; ++f) hold.advance(kSlideStep);
  EXPECT_LT((hold.state().x - settled).colwise().norm().maxCoeff(), 1e-6);
  EXPECT_GT(hold.state().x.row(1).mean(), 0.48) << "it did not fall";
}

// A point attribute of the body multiplies the collider's friction.
TEST(ContactFriction, PointsMultiplyTheCollidersFriction) {
  Body block = stiff_block();
  block.velocity.row(0).setConstant(2);
  block.friction.assign(block.mesh.point_count(), 0.5);
  Scene scene = make_scene(block, {});
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.4));
  Simulation simulation(scene);
  FrameReport report;
  for (int f = 0; f < 12; ++f) report = simulation.advance(kSlideStep);
  EXPECT_NEAR(report.all.linear_momentum.x() / total_mass(block), 2 - 0.2 * kSlideGravity * 0.5,
              0.01);
}

TEST(ContactFriction, ImpulsesAreTheChangeOfMomentum) {
  for (const Integrator integrator : kAllIntegrators) {
    Body block = make_body(box_mesh({3, 3, 3}, Vec3::Constant(0.3)), {});
    block.position.row(1).array() += 0.05;
    block.velocity.row(0).setConstant(1);
    SolverSettings settings;
    settings.integrator = integrator;
    Scene scene = make_scene(block, settings);
    scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.3));
    Simulation simulation(scene);
    const double mass = total_mass(block);
    Vec3 before = simulation.measure().all.linear_momentum;
    for (int f = 0; f < 24; ++f) {
      const FrameReport report = simulation.advance(kSlideStep);
      const Vec3 change =
          report.all.linear_momentum - before - mass * kSlideStep * Vec3(0, -kSlideGravity, 0);
      before = report.all.linear_momentum;
      EXPECT_LT((change - report.contact.impulse).norm(), 2e-3 * mass * kSlideGravity * kSlideStep)
          << name(integrator) << " frame " << f;
      EXPECT_LE(report.contact.friction_use, 1 + 1e-9);
    }
  }
}

}  // namespace
}  // namespace dashpot
