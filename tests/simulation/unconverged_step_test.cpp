#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "solver/base/error.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

// A bar whose foot is shaken so violently that the iterations of many stages end too early.
Scene shaken_bar(int iterations) {
  Body body = make_body(box_mesh({3, 14, 3}, {0.2, 1.0, 0.2}), {Material::kNeoHookean, 4e5, 0.4});
  auto shake = std::make_shared<RigidMotion>();
  shake->amplitude = {0.25, 0, 0};
  shake->frequency = 3;
  body.pins.push_back(pin_slab(body.mesh, 1, -1, 1e-9, shake));
  body.contact.self_contact = false;
  SolverSettings settings;
  settings.substeps = 2;
  settings.iterations = iterations;
  return make_scene(body, settings);
}

class UnconvergedSteps : public testing::TestWithParam<int> {};

INSTANTIATE_TEST_SUITE_P(Iterations, UnconvergedSteps, testing::Values(60, 12, 5));

// What the pins do is all the energy there is.
TEST_P(UnconvergedSteps, DoNotMakeEnergy) {
  Simulation simulation(shaken_bar(GetParam()));
  const FrameReport start = simulation.measure();
  int exhausted = 0;
  for (int frame = 0; frame < 60; ++frame) {
    const FrameReport report = simulation.advance(1.0 / 24);
    exhausted += report.has(Status::kBudgetExhausted);
    const double given = start.energy.total + std::max(0.0, report.energy.work);
    ASSERT_LT(report.energy.total, 1.2 * given) << "frame " << frame;
    ASSERT_GT(report.all.min_stretch, 0) << "frame " << frame;
  }
  EXPECT_GT(exhausted, 0);
}

// Nor do those in which it hits itself; then tets may turn inside out, and frames say so.
TEST(UnconvergedSelfContact, DoesNotMakeEnergy) {
  Scene scene = shaken_bar(12);
  scene.bodies[0].contact.self_contact = true;
  Simulation simulation(scene);
  const FrameReport start = simulation.measure();
  for (int frame = 0; frame < 60; ++frame) {
    const FrameReport report = simulation.advance(1.0 / 24);
    const double given = start.energy.total + std::max(0.0, report.energy.work);
    ASSERT_LT(report.energy.total, 1.2 * given) << "frame " << frame;
    ASSERT_EQ(report.all.inverted > 0, report.has(Status::kInvertedElements)) << "frame " << frame;
  }
}

TEST(StopAtWarnings, EndsTheSimulationBeforeTheFirstFrameThatHasOne) {
  Scene scene = shaken_bar(60);
  Simulation going_on(scene);
  scene.settings.stop_at_warnings = true;
  Simulation stopping(scene);
  int kept = 0;
  std::uint64_t before = going_on.state().hash();
  while (going_on.advance(1.0 / 24).status == 0) {
    stopping.advance(1.0 / 24);
    before = going_on.state().hash();
    EXPECT_EQ(stopping.state().hash(), before);
    ASSERT_LT(++kept, 60);
  }
  ASSERT_GT(kept, 0);
  const double dissipated = stopping.state().dissipated;
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      stopping.advance(1.0 / 24);
      FAIL() << "went on";
    } catch (const SimulationError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("stopped by stopatwarnings: the 60 iterations"));
    }
    EXPECT_EQ(stopping.state().hash(), before);
    EXPECT_EQ(stopping.measure().energy.dissipated, dissipated);
  }
}

}  // namespace
}  // namespace dashpot
