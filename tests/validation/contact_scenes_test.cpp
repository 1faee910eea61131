// Blocks that lean, balls that spin, belts and turntables, against the theory of rigid bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "solver/simulation/simulation.h"
#include "tests/support/colliders.h"
#include "tests/support/level_sets.h"

namespace dashpot {
namespace {

constexpr double kSceneGravity = 9.81, kSceneStep = 1.0 / 24;

// Brown et al. 2018 Fig. 9. True if the block still leans against the wall after a second and a
// half.
bool stays_up(double degrees, double mu) {
  const double angle = degrees * M_PI / 180, length = 1, thickness = 0.05;
  Body block =
      make_body(box_mesh({10, 1, 2}, {length, thickness, 0.2}), {Material::kNeoHookean, 1e8, 0.3});
  const Vec3 along(std::cos(angle), -std::sin(angle), 0);  // from the wall down to the floor
  const Vec3 up(std::sin(angle), std::cos(angle), 0);
  for (int i = 0; i < block.position.cols(); ++i) {
    const Vec3 p = block.mesh.rest.col(i);
    block.position.col(i) = p.x() * along + p.y() * up + Vec3(0, length * std::sin(angle), p.z());
  }
  Scene scene = make_scene(block, {});
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), mu));
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitX(), mu));
  Simulation simulation(scene);
  const double height = simulation.measure().all.center_of_mass.y();
  FrameReport report;
  for (int f = 0; f < 36; ++f) report = simulation.advance(kSceneStep);
  return report.all.center_of_mass.y() > height - 0.01;
}

TEST(ContactScenes, BlocksLeanAgainstAWallAsTheorySays) {
  for (const double degrees : {30.0, 50.0, 70.0})
    for (const double mu : {0.2, 0.4, 0.6}) {
      const bool theory = std::tan(degrees * M_PI / 180) > (1 - mu * mu) / (2 * mu);
      EXPECT_EQ(stays_up(degrees, mu), theory) << degrees << " degrees, mu = " << mu;
    }
}

// Brown et al. 2018 Fig. 5, with a stiff ball. Sliding all through the hit, friction gives it mu (1
// + e) of the speed of the hit; else it leaves rolling. The ball is a polyhedron: it is turned so
// that a point of it is lowest when it hits, and steps are short so that it still is at the end of
// the stage.
TEST(ContactScenes, ASpinningBallRunsToTheSide) {
  constexpr double kRadius = 0.2, kHeight = 0.5;
  const double time = std::sqrt(2 * kHeight / kSceneGravity), hit = kSceneGravity * time;
  for (const double mu : {0.05, 0.6})
    for (const double spin : {-20.0, 15.0}) {
      Body ball = make_body(ball_mesh(4, kRadius), {Material::kNeoHookean, 5e10, 0.3});
      ball.position =
          Eigen::AngleAxisd(-spin * time, Vec3::UnitZ()).toRotationMatrix() * ball.position;
      ball.position.row(1).array() += kHeight + kRadius;
      ball.velocity =
          affine_velocity(ball.position, {0, kHeight + kRadius, 0}, {0, 0, spin}, Mat3::Zero());
      const double mass = total_mass(ball);
      Scene scene = make_scene(ball, {});
      scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), mu, 0.5));
      Simulation simulation(scene);
      const double inertia = std::abs(simulation.measure().all.angular_momentum.z() / spin);
      const double sliding = mu * 1.5 * hit;
      const double rolling = std::abs(spin) * kRadius / (1 + mass * kRadius * kRadius / inertia);
      const double theory = (spin < 0 ? 1 : -1) * std::min(sliding, rolling);
      double speed = 0;
      while (simulation.state().time < time + 0.03)
        speed = simulation.advance(1.0 / 480).all.linear_momentum.x() / mass;
      EXPECT_NEAR(speed / theory, 1, 0.1) << "mu = " << mu << ", spin = " << spin;
    }
}

TEST(ContactScenes, ABeltTakesABlockAlong) {
  Body block = make_body(box_mesh({4, 2, 4}, {1, 0.5, 1}), {Material::kNeoHookean, 1e7, 0.3});
  const double mass = total_mass(block);
  Scene scene = make_scene(block, {});
  SceneCollider belt = make_plane(Vec3::Zero(), Vec3::UnitY(), 0.4);
  belt.motion.emplace_back();
  belt.motion.back().velocity = Vec3(1, 0, 0);
  scene.colliders.push_back(belt);
  Simulation simulation(scene);
  FrameReport report;
  for (int f = 0; f < 4; ++f) report = simulation.advance(kSceneStep);
  EXPECT_NEAR(report.all.linear_momentum.x() / mass, 0.4 * kSceneGravity * 4 * kSceneStep, 0.01);
  for (int f = 4; f < 48; ++f) report = simulation.advance(kSceneStep);
  EXPECT_NEAR(report.all.linear_momentum.x() / mass, 1, 1e-3) << "as fast as the belt";
  // The belt's work is the block's motion and as much heat again.
  const double kinetic = 0.5 * mass;
  EXPECT_NEAR(report.energy.work / kinetic, 2, 0.05);
  EXPECT_NEAR(report.energy.dissipated / kinetic, 1, 0.05);
}

// A block of 10 cm on a table that turns at w; it is held up to mu g / w^2 from the axis.
double distance_after_turn(double distance, double mu, double w) {
  Body block =
      make_body(box_mesh({2, 2, 2}, Vec3::Constant(0.1)), {Material::kNeoHookean, 1e7, 0.3});
  block.position.row(0).array() += distance - 0.05;
  block.position.row(2).array() -= 0.05;
  block.velocity = affine_velocity(block.position, Vec3::Zero(), {0, w, 0}, Mat3::Zero());
  Scene scene = make_scene(block, {});
  SceneCollider table = make_plane(Vec3::Zero(), Vec3::UnitY(), mu);
  table.motion.emplace_back();
  table.motion.back().angular_velocity = Vec3(0, w, 0);
  scene.colliders.push_back(table);
  Simulation simulation(scene);
  FrameReport report;
  for (int f = 0; f < 48; ++f) report = simulation.advance(kSceneStep);
  const Vec3 c = report.all.center_of_mass;
  return std::hypot(c.x(), c.z());
}

TEST(ContactScenes, ATurntableHoldsWhatIsNearItsAxis) {
  const double mu = 0.3, w = 3, limit = mu * kSceneGravity / (w * w);  // 0.327 m
  EXPECT_NEAR(distance_after_turn(0.8 * limit, mu, w), 0.8 * limit, 0.005);
  EXPECT_GT(distance_after_turn(1.3 * limit, mu, w), 1.6 * limit);
}

// Thin plate, fast ball, long step: 40 m/s is 1.7 m per step, the plate is 4 cm thick.
TEST(ContactScenes, AFastBallDoesNotPassAThinPlate) {
  SceneCollider collider = make_plane(Vec3::Zero(), Vec3::UnitY(), 0.3);
  collider.collider.shape = box_shape(Vec3::Zero(), Vec3(2, 0.02, 2), 0.02);
  for (const double youngs : {1e5, 1e8}) {
    Body ball = make_body(ball_mesh(4, 0.2), {Material::kNeoHookean, youngs, 0.3});
    ball.position.row(1).array() += 3;
    ball.velocity.row(1).setConstant(-40);
    Scene scene = make_scene(ball, {});
    scene.colliders.push_back(collider);
    Simulation simulation(scene);
    for (int f = 0; f < 12; ++f) {
      const FrameReport report = simulation.advance(kSceneStep);
      EXPECT_LT(report.contact.penetration, 0.05 * 0.02) << youngs << " Pa, frame " << f;
    }
    EXPECT_GT(simulation.state().x.row(1).minCoeff(), 0.019) << youngs << " Pa";
  }
}

// A block that starts deep in a level set is pushed out and comes to rest on it.
TEST(ContactScenes, WhatStartsInsideComesOut) {
  Body block = make_body(box_mesh({2, 2, 2}, Vec3::Constant(0.2)), {});
  block.position.row(1).array() -= 0.15;
  block.position.row(0).array() -= 0.1;
  block.position.row(2).array() -= 0.1;
  SceneCollider collider = make_plane(Vec3::Zero(), Vec3::UnitY(), 0.3);
  collider.collider.shape = box_shape({0, -1, 0}, Vec3::Ones(), 0.03);
  Scene scene = make_scene(block, {});
  scene.colliders.push_back(collider);
  Simulation simulation(scene);
  for (int f = 0; f < 48; ++f) simulation.advance(kSceneStep);
  EXPECT_GT(simulation.state().x.row(1).minCoeff(), -0.03 * 0.05);
}

// The state remembers what touches: a run that is stopped and restored goes on bit for bit.
TEST(ContactScenes, RestoredRunsGoOnBitForBit) {
  Body ball = make_body(ball_mesh(4, 0.2), {Material::kNeoHookean, 1e5, 0.3});
  ball.position.row(1).array() += 0.25;
  ball.velocity.row(0).setConstant(1);
  Scene scene = make_scene(ball, {});
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.3));
  Simulation whole(scene), first(scene), second(scene);
  for (int f = 0; f < 16; ++f) whole.advance(kSceneStep);
  for (int f = 0; f < 8; ++f) first.advance(kSceneStep);
  second.restore(first.state());
  for (int f = 8; f < 16; ++f) second.advance(kSceneStep);
  EXPECT_EQ(second.state().hash(), whole.state().hash());
}

}  // namespace
}  // namespace dashpot
