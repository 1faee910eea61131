// The stages of one try of a step, without contact.
#include "solver/simulation/step_attempt.h"

#include <gtest/gtest.h>

#include <memory>

#include "solver/simulation/energies.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

constexpr double kTryDt = 0.05;

struct Attempted {
  State from, to;
  bool converged;
};

Attempted attempt(const Scene& scene, Integrator integrator) {
  const SimulationModel model(scene);
  Islands islands(model);
  const State from = initial_state(model, scene.settings.gravity, islands);
  const StepStart start{model, scene.settings, kTryDt, from,
                        measure_bodies(model, from.x, from.v, scene.settings.gravity)};
  StepAttempt attempt(start, integrator_rule(integrator), false, 100, islands);
  EXPECT_TRUE(attempt.run({}));
  return {from, attempt.to(), attempt.has_converged()};
}

Body flying() {
  Body body = make_body(box_mesh({2, 1, 1}, {0.4, 0.2, 0.2}), {});
  body.velocity.row(0).setConstant(3);
  return body;
}

TEST(StepAttempt, FallsAsGalileoSays) {
  const Scene scene = make_scene(flying(), {});
  for (const Integrator integrator :
       {Integrator::kTrBdf2, Integrator::kBathe, Integrator::kMidpoint, Integrator::kTrapezoidal}) {
    const Attempted step = attempt(scene, integrator);
    EXPECT_TRUE(step.converged);
    const Vec3& g = scene.settings.gravity;
    for (Eigen::Index i = 0; i < step.to.x.cols(); ++i) {
      const Vec3 fallen = kTryDt * Vec3(3, 0, 0) + 0.5 * kTryDt * kTryDt * g;
      EXPECT_LT((step.to.x.col(i) - step.from.x.col(i) - fallen).norm(), 1e-12);
      EXPECT_LT((step.to.v.col(i) - Vec3(3, 0, 0) - kTryDt * g).norm(), 1e-11);
    }
    EXPECT_EQ(step.to.time, kTryDt);
    EXPECT_EQ(step.to.steps, 1);
    EXPECT_EQ(step.to.previous_dt, kTryDt);
    EXPECT_EQ(step.to.x_previous, step.from.x);
  }
}

TEST(StepAttempt, EndsWithPinsOnTheirTargets) {
  Body body = flying();
  body.velocity.setZero();
  const auto motion = std::make_shared<RigidMotion>();
  motion->velocity = {0, 2, 0};
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9, motion));
  const Scene scene = make_scene(body, {});
  for (const Integrator integrator : kAllIntegrators) {
    if (integrator_rule(integrator).needs_previous) continue;
    const Attempted step = attempt(scene, integrator);
    for (const int i : body.pins[0].points) {
      EXPECT_LT((step.to.x.col(i) - step.from.x.col(i) - Vec3(0, 2 * kTryDt, 0)).norm(), 1e-15);
      EXPECT_LT((step.to.v.col(i) - Vec3(0, 2, 0)).norm(), 1e-15);
    }
  }
}

TEST(StepAttempt, ThatIsCancelledSaysSo) {
  const Scene scene = make_scene(flying(), {});
  const SimulationModel model(scene);
  Islands islands(model);
  const State from = initial_state(model, scene.settings.gravity, islands);
  const StepStart start{model, scene.settings, kTryDt, from, {}};
  StepAttempt attempt(start, integrator_rule(Integrator::kTrBdf2), false, 100, islands);
  EXPECT_FALSE(attempt.run([] { return true; }));
}

}  // namespace
}  // namespace dashpot
