#include "solver/simulation/retry_policy.h"

#include <gtest/gtest.h>

#include <memory>

#include "solver/simulation/energies.h"
#include "solver/simulation/step_rule.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

constexpr double kStep = 0.01;

// A box that vibrates in free flight, and a first try of its next step. What it had before the step
// can be told wrongly, so that the step seems to have made energy, or to have lost some.
class RetryPolicy : public testing::Test {
 protected:
  RetryPolicy() : scene_(make_scene(make_body(box_mesh({2, 2, 2}, {0.4, 0.4, 0.4}), {}), {})) {
    Body& body = scene_.bodies[0];
    body.velocity.row(0) = 3 * body.mesh.rest.row(0);
    body.velocity.row(1).setConstant(1);
    model_ = std::make_unique<SimulationModel>(scene_);
    islands_ = std::make_unique<Islands>(*model_);
    from_ = initial_state(*model_, scene_.settings.gravity, *islands_);
  }

  StepAttempt& attempt(double energy_before, Integrator integrator, int iterations = 100) {
    start_ = std::make_unique<StepStart>(
        StepStart{*model_, scene_.settings, kStep, from_,
                  measure_bodies(*model_, from_.x, from_.v, scene_.settings.gravity)});
    start_->measured[0].elastic += energy_before;
    attempt_ = std::make_unique<StepAttempt>(*start_, integrator_rule(integrator), false,
                                             iterations, *islands_);
    EXPECT_TRUE(attempt_->run({}));
    return *attempt_;
  }
  double kinetic() const { return kinetic_energy(*model_, from_.v, 0, model_->point_count()); }

  Scene scene_;
  std::unique_ptr<SimulationModel> model_;
  std::unique_ptr<Islands> islands_;
  State from_;
  std::unique_ptr<StepStart> start_;
  std::unique_ptr<StepAttempt> attempt_;
};

TEST_F(RetryPolicy, AStepThatKeepsTheLawIsKept) {
  StepAttempt& good = attempt(0, Integrator::kTrBdf2);
  ASSERT_TRUE(good.has_converged());
  EXPECT_TRUE(keeps_the_law(*model_, good, true));
  EXPECT_FALSE(may_have_lost(*model_, good));
}

TEST_F(RetryPolicy, AStepThatDidNotConvergeAndMadeEnergyIsTakenAgain) {
  EXPECT_FALSE(keeps_the_law(*model_, attempt(-0.5 * kinetic(), Integrator::kTrBdf2, 1), false));
}

TEST_F(RetryPolicy, ALittleIsTakenFromTheMotionWhereThereAreNoMoreIterations) {
  StepAttempt& little = attempt(-0.02 * kinetic(), Integrator::kTrBdf2, 1);
  ASSERT_FALSE(little.has_converged());
  EXPECT_TRUE(keeps_the_law(*model_, little, true));
  EXPECT_LE(little.balance().excess(0), 1e-12);
}

TEST_F(RetryPolicy, WhatIsMissingWithoutDampingMayHaveBeenLostByTheIterations) {
  EXPECT_TRUE(may_have_lost(*model_, attempt(0.2 * kinetic(), Integrator::kTrBdf2)));
  EXPECT_FALSE(may_have_lost(*model_, attempt(0.2 * kinetic(), Integrator::kBackwardEuler)))
      << "backward Euler always loses some";
}

TEST_F(RetryPolicy, TheLastTryEndsWithNoMoreEnergyThanThereWas) {
  StepAttempt& last = attempt(-0.5 * kinetic(), Integrator::kBackwardEuler);
  ASSERT_GT(last.balance().excess(0), 0.01);
  repair_bodies(*start_, last);
  EXPECT_LE(last.balance().excess(0), 1e-12);
  EXPECT_LE(total_energy(measure(*model_, last.to().x, last.to().v, scene_.settings.gravity, 0)),
            last.balance().bound(0) + 1e-12);
}

}  // namespace
}  // namespace dashpot
