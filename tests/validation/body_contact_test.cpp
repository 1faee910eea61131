// Bodies that touch each other.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <sstream>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kPairFrame = 1.0 / 24;

Body box_at(const std::string& name, const Vec3& center, double youngs) {
  Body body =
      make_body(box_mesh({3, 2, 3}, {0.4, 0.2, 0.4}), {Material::kNeoHookean, youngs, 0.3}, name);
  const Vec3 middle = body.position.rowwise().mean();
  body.position.colwise() += center - middle;
  body.contact.friction = 0.5;
  return body;
}

// Two boxes whose meshes do not match, one on the other, on a floor.
Scene stack(double youngs) {
  Scene scene;
  scene.bodies = {box_at("lower", {0, 0.1, 0}, youngs),
                  box_at("upper", {0.03, 0.3005, 0.02}, youngs)};
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.5));
  return scene;
}

Scene meeting_balls(double speed, int substeps) {
  Scene scene;
  scene.settings.gravity.setZero();
  scene.settings.substeps = substeps;
  for (const double side : {-1.0, 1.0}) {
    Body ball = make_body(ball_mesh(5, 0.2), {Material::kNeoHookean, 1e6, 0.3},
                          side < 0 ? "left" : "right");
    ball.position.colwise() += Vec3(0.3 * side, 0.05 * side, 0.02 * side);
    ball.velocity.row(0).setConstant(-side * speed);
    scene.bodies.push_back(ball);
  }
  return scene;
}

TEST(BodyContact, AStackStandsAndTheFloorBearsItsWeight) {
  for (const double youngs : {1e6, 1e8}) {
    const Scene scene = stack(youngs);
    Simulation simulation(scene);
    FrameReport report;
    for (int f = 0; f < 48; ++f) {
      report = simulation.advance(kPairFrame);
      EXPECT_EQ(report.status, 0u) << youngs << ", frame " << f;
    }
    const double weight = 9.81 * (total_mass(scene.bodies[0]) + total_mass(scene.bodies[1]));
    EXPECT_NEAR(report.contact.impulse.y() / (weight * kPairFrame), 1, 1e-3) << youngs;
    EXPECT_GT(report.contact.pairs, 3) << youngs;
    const Points start = simulation.state().x;
    for (int f = 0; f < 24; ++f) simulation.advance(kPairFrame);
    EXPECT_LT((simulation.state().x - start).colwise().norm().maxCoeff(), 1e-5) << youngs;
  }
}

TEST(BodyContact, WhatMeetsDoesNotPassAndKeepsItsMomentum) {
  for (const double speed : {1.0, 10.0}) {
    Simulation simulation(meeting_balls(speed, 4));
    const FrameReport start = simulation.measure();
    bool touched = false;
    for (int f = 0; f < 24; ++f) {
      const FrameReport report = simulation.advance(kPairFrame / speed);
      EXPECT_FALSE(report.has(Status::kTangled)) << speed << ", frame " << f;
      EXPECT_LT(report.energy.total, 1.005 * start.energy.total) << speed << ", frame " << f;
      EXPECT_LT((report.all.linear_momentum - start.all.linear_momentum).norm(),
                1e-10 * total_mass(simulation.scene().bodies[0]) * speed)
          << speed << ", frame " << f;
      touched = touched || report.contact.normal_impulse > 0;
    }
    EXPECT_TRUE(touched);
  }
}

TEST(BodyContact, IsOffWhereTheSceneSaysSo) {
  Scene scene = meeting_balls(5, 1);
  scene.bodies[0].no_contact = {"right"};
  Simulation simulation(scene);
  for (int f = 0; f < 8; ++f)
    EXPECT_EQ(simulation.advance(kPairFrame).contact.normal_impulse, 0) << "frame " << f;
}

std::uint64_t end_with_threads(int threads) {
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(threads);
  std::uint64_t hash = 0;
  arena.execute([&] {
    Simulation simulation(stack(1e6));
    for (int f = 0; f < 6; ++f) simulation.advance(kPairFrame);
    hash = simulation.state().hash();
  });
  return hash;
}

TEST(BodyContact, DoesNotDependOnTheNumberOfThreads) {
  const std::uint64_t one = end_with_threads(1);
  EXPECT_EQ(end_with_threads(2), one);
  EXPECT_EQ(end_with_threads(5), one);
}

TEST(BodyContact, GoesOnBitForBitFromASavedState) {
  Simulation whole(stack(1e6));
  for (int f = 0; f < 3; ++f) whole.advance(kPairFrame);
  std::stringstream file;
  whole.state().save(file);
  Simulation resumed(stack(1e6));
  resumed.restore(State::load(file));
  for (int f = 0; f < 5; ++f) {
    whole.advance(kPairFrame);
    resumed.advance(kPairFrame);
    EXPECT_EQ(resumed.state().hash(), whole.state().hash()) << "frame " << f;
  }
}

}  // namespace
}  // namespace dashpot
