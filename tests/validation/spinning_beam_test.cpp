#include <gtest/gtest.h>

#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

struct Kept {
  double energy, angular_momentum;  // fractions of those at the start
};

enum class FirstStep { kOwn, kBackwardEuler };

// Brown et al. 2018 Fig. 6: a free beam that spins and stretches, undamped, for 2 s.
Kept kept_by(Integrator integrator, double dt, double youngs, FirstStep first = FirstStep::kOwn) {
  Body body =
      make_body(box_mesh({16, 4, 4}, {1, 0.25, 0.25}), {Material::kNeoHookean, youngs, 0.4});
  const Mat3 elongation = Vec3(2, 0, 0).asDiagonal();
  body.velocity = affine_velocity(body.position, {0.5, 0.125, 0.125}, {0, 0, 6}, elongation);
  SolverSettings settings;
  settings.integrator = integrator;
  settings.gravity.setZero();
  settings.iterations = 1000;
  settings.tolerance = 1e-6;
  Simulation simulation(make_scene(body, settings));
  const FrameReport start = simulation.measure();
  if (first == FirstStep::kBackwardEuler) {
    settings.integrator = Integrator::kBackwardEuler;
    Simulation starter(make_scene(body, settings));
    starter.advance(dt);
    simulation.restore(starter.state());
  }
  FrameReport end;
  while (simulation.state().steps < std::lround(2 / dt)) {
    end = simulation.advance(dt);
    EXPECT_FALSE(end.has(Status::kBudgetExhausted)) << end.primal_residual;
  }
  const Kept kept{end.energy.total / start.energy.total,
                  end.all.angular_momentum.norm() / start.all.angular_momentum.norm()};
  std::cout << "  E = " << youngs << " Pa, " << name(integrator) << " at " << 1000 * dt
            << " ms: E/E0 = " << kept.energy << ", L/L0 = " << kept.angular_momentum << "\n";
  return kept;
}

// At equal cost: TR-BDF2 solves twice per step, the others take two steps for one. The beam
// stretches and contracts in 0.2 s, five steps.
TEST(SpinningBeam, TrBdf2KeepsTheMostEnergyAndAngularMomentum) {
  const Kept euler = kept_by(Integrator::kBackwardEuler, 0.02, 1e5);
  const Kept bdf2 = kept_by(Integrator::kBdf2, 0.02, 1e5);
  const Kept trbdf2 = kept_by(Integrator::kTrBdf2, 0.04, 1e5);
  EXPECT_GT(trbdf2.energy, bdf2.energy);
  EXPECT_GT(bdf2.energy, euler.energy);
  EXPECT_GT(trbdf2.angular_momentum, bdf2.angular_momentum);
  EXPECT_GT(bdf2.angular_momentum, euler.angular_momentum);
}

// The stretching takes 63 ms here, one and a half steps. What BDF2 keeps of a motion that it does
// not resolve hangs on its first step: the Newton solver took it by backward Euler, as textbooks
// do, where our default is TR-BDF2.
TEST(SpinningBeam, AgreesWithAnIndependentNewtonSolver) {
  const Kept euler = kept_by(Integrator::kBackwardEuler, 0.02, 1e6);
  const Kept bdf2 = kept_by(Integrator::kBdf2, 0.02, 1e6, FirstStep::kBackwardEuler);
  const Kept trbdf2 = kept_by(Integrator::kTrBdf2, 0.04, 1e6);
  EXPECT_NEAR(euler.energy, 0.231, 0.003);
  EXPECT_NEAR(euler.angular_momentum, 0.505, 0.003);
  EXPECT_NEAR(bdf2.energy, 0.836, 0.003);
  EXPECT_NEAR(bdf2.angular_momentum, 0.962, 0.003);
  EXPECT_NEAR(trbdf2.energy, 0.868, 0.003);
  EXPECT_NEAR(trbdf2.angular_momentum, 0.980, 0.003);
}

}  // namespace
}  // namespace dashpot
