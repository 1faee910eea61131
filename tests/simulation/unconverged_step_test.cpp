#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

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

}  // namespace
}  // namespace dashpot
