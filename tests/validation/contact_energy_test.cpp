// The energy ledger of damped bodies in contact: nothing may be created, and what steps lose is
// booked.
#include <gtest/gtest.h>

#include <algorithm>

#include "solver/simulation/simulation.h"
#include "tests/support/colliders.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

struct LedgerRun {
  double created = 0;  // the most that `lost` fell in a frame, J
  double lost = 0;     // at the end, J
  double exchanged = 0;
};

LedgerRun run_ledger(const Scene& scene, int frames) {
  Simulation simulation(scene);
  LedgerRun run;
  EnergyLedger before = simulation.measure().energy, now;
  run.exchanged = before.total;
  for (int f = 0; f < frames; ++f) {
    now = simulation.advance(1.0 / 24).energy;
    run.created = std::max(run.created, before.lost - now.lost);
    before = now;
  }
  run.lost = now.lost;
  run.exchanged += now.work;
  return run;
}

class DampedContact : public testing::TestWithParam<DampingModel> {};
INSTANTIATE_TEST_SUITE_P(Models, DampedContact,
                         testing::Values(DampingModel::kStrainRate, DampingModel::kRayleigh,
                                         DampingModel::kPrincipalStrain,
                                         DampingModel::kStretchRate),
                         [](const auto& info) { return std::string(name(info.param)); });

Scene block_on_belt(DampingModel model, int substeps) {
  Body block = make_body(box_mesh({4, 3, 4}, {0.4, 0.3, 0.4}), {Material::kNeoHookean, 3e5, 0.35});
  set_damping(block, model, 0.005);
  block.position.row(1).array() += 0.2;
  SolverSettings settings;
  settings.substeps = substeps;
  Scene scene = make_scene(block, settings);
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0.4));
  scene.colliders.back().motion.emplace_back();
  scene.colliders.back().motion.back().velocity = Vec3(1, 0, 0);
  return scene;
}

TEST_P(DampedContact, AHitCreatesNoEnergy) {
  for (const int substeps : {1, 4, 16}) {
    const LedgerRun run = run_ledger(block_on_belt(GetParam(), substeps), 24);
    EXPECT_LT(run.created, 0.005 * run.exchanged) << substeps;
    EXPECT_LT(std::abs(run.lost), 2e-3 * run.exchanged) << substeps;
  }
}

// Two plates close on a soft ball: their work is what the ball stores and dissipates.
TEST(ContactEnergy, OfASqueezedBallCloses) {
  Body ball = make_body(ball_mesh(5, 0.2), {Material::kNeoHookean, 5e4, 0.4});
  set_damping(ball, DampingModel::kStretchRate, 0.02);
  SolverSettings settings;
  settings.gravity.setZero();
  settings.substeps = 2;
  Scene scene = make_scene(ball, settings);
  for (const double side : {-1.0, 1.0}) {
    scene.colliders.push_back(make_plane(Vec3(0.2 * side, 0, 0), Vec3(-side, 0, 0), 0.5));
    scene.colliders.back().motion.emplace_back();
    scene.colliders.back().motion.back().velocity = Vec3(-0.1 * side, 0, 0);
  }
  const LedgerRun run = run_ledger(scene, 24);
  EXPECT_GT(run.exchanged, 1);
  EXPECT_LT(std::abs(run.lost), 0.03 * run.exchanged);
}

}  // namespace
}  // namespace dashpot
