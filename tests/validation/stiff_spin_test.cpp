#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

struct StiffSpin {
  double energy, angular_momentum, iterations;
};

// A free beam that turns about a slanted axis for a second, with default settings.
StiffSpin spin_stiffly(double youngs, DampingModel model, double seconds) {
  Body body = make_body(box_mesh({8, 2, 2}, {1, 0.25, 0.25}), {Material::kNeoHookean, youngs, 0.4});
  if (model != DampingModel::kNone) set_damping(body, model, seconds);
  body.velocity =
      affine_velocity(body.position, {0.5, 0.125, 0.125}, Vec3(0.3, 0.2, 2), Mat3::Zero());
  SolverSettings settings;
  settings.gravity.setZero();
  Simulation simulation(make_scene(body, settings));
  const FrameReport start = simulation.measure();
  FrameReport end;
  double iterations = 0;
  for (int f = 0; f < 24; ++f) {
    end = simulation.advance(1.0 / 24);
    iterations += end.iterations / 48.0;
  }
  return {end.energy.total / start.energy.total,
          end.all.angular_momentum.norm() / start.all.angular_momentum.norm(), iterations};
}

// Rotation is the softest motion of a stiff body: what the iterations leave of it must not drive
// the body.
TEST(StiffSpin, NeitherGainsNorLosesAtDefaultSettings) {
  for (const double youngs : {1e5, 1e6, 1e7, 1e8, 1e9}) {
    const StiffSpin spun = spin_stiffly(youngs, DampingModel::kNone, 0);
    std::cout << "  " << youngs << " Pa: E/E0 = " << spun.energy
              << ", L/L0 = " << spun.angular_momentum << ", " << spun.iterations
              << " iterations per stage\n";
    EXPECT_NEAR(spun.energy, 1, 0.02) << youngs;
    EXPECT_NEAR(spun.angular_momentum, 1, 0.01) << youngs;
  }
}

// At a viscosity of 1e9 Pa s, which makes the body all but rigid, some percent of noise remain in
// the elastic energy.
TEST(StiffSpin, IsNotDrivenByStrongDamping) {
  for (const DampingModel model : kAllDampingModels)
    for (const double youngs : {1e5, 1e8})
      for (const double seconds : {0.1, 10.0}) {
        const StiffSpin spun = spin_stiffly(youngs, model, seconds);
        std::cout << "  " << name(model) << ", " << youngs << " Pa, " << seconds
                  << " s: E/E0 = " << spun.energy << ", L/L0 = " << spun.angular_momentum << ", "
                  << spun.iterations << " iterations per stage\n";
        EXPECT_LT(spun.energy, youngs * seconds < 1e9 ? 1.0 : 1.05)
            << name(model) << " " << youngs << " " << seconds;
        EXPECT_NEAR(spun.angular_momentum, 1, 0.01)
            << name(model) << " " << youngs << " " << seconds;
      }
}

}  // namespace
}  // namespace dashpot
