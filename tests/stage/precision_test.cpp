#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "tests/stage/elastic_samples.h"

namespace dashpot {
namespace {

// A beam that has just been set in motion, and the first stage of its first step.
struct MovingBeam {
  SimulationModel system;
  Points before, velocity;
  Stage stage;

  MovingBeam(GlobalPrecision precision, double youngs, bool pinned)
      : system(scene(youngs, pinned)), before(system.initial_x), velocity(before) {
    system.precision = precision;
    for (Eigen::Index i = 0; i < before.cols(); ++i)
      velocity.col(i) = Vec3(0, -3 * before(0, i), 2 * before(0, i) * before(2, i));
    const Points zero = Points::Zero(3, before.cols());
    const IntegratorRule rule = integrator_rule(Integrator::kTrBdf2);
    stage =
        make_stage(rule.stages[0], 0.02,
                   {before, velocity, zero, before, velocity, zero, zero, zero}, Vec3(0, -9.81, 0));
  }

  static Scene scene(double youngs, bool pinned) {
    Body body =
        make_body(box_mesh({8, 3, 3}, {0.8, 0.3, 0.3}), {Material::kNeoHookean, youngs, 0.4});
    if (pinned) body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
    return make_scene(body, {});
  }

  StageResult solve(const StageSettings& settings, Points& x) {
    Islands solver = make_solver(system);
    std::vector<double> dual(solver.force_size(), 0.0);
    x = before;
    return solver.solve(stage, before, settings, {}, x, dual);
  }
};

void expect_as_many_iterations(double youngs, bool pinned, const std::vector<double>& tolerances) {
  MovingBeam in_double(GlobalPrecision::kDouble, youngs, pinned);
  MovingBeam in_single(GlobalPrecision::kSingle, youngs, pinned);
  for (std::size_t k = 0; k < 2 * tolerances.size(); ++k) {
    const double tolerance = tolerances[k / 2];
    const StageSettings settings = {2000, tolerance,
                                    k % 2 ? SolverChoice::kAdmm : SolverChoice::kAutomatic};
    SCOPED_TRACE(tolerance);
    Points x, y;
    const StageResult a = in_double.solve(settings, x);
    const StageResult b = in_single.solve(settings, y);
    EXPECT_TRUE(a.converged);
    EXPECT_TRUE(b.converged);
    EXPECT_LE(std::abs(a.iterations - b.iterations), 1 + a.iterations / 20);
    EXPECT_LT((x - y).norm(), 10 * tolerance * (x - in_double.before).norm());
    std::cout << "  tolerance " << tolerance << ": " << a.iterations << " and " << b.iterations
              << " iterations\n";
  }
}

TEST(SinglePrecisionFactor, TakesAsManyIterationsAndReachesTheSameFloor) {
  expect_as_many_iterations(1e6, true, {1e-3, 1e-6, 1e-11});
}

// Nearly as stiff as GlobalMatrix would choose it for, and free: the worst that it has to do with.
TEST(SinglePrecisionFactor, TakesAsManyIterationsForAFreeStiffBody) {
  expect_as_many_iterations(3e9, false, {1e-3, 1e-5});
}

}  // namespace
}  // namespace dashpot
