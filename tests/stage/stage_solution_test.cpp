#include <gtest/gtest.h>

#include <iostream>

#include "tests/stage/elastic_samples.h"
#include "tests/support/newton_reference.h"

namespace dashpot {
namespace {

constexpr double kDt = 0.02;
const Vec3 kGravity(1.0, -9.81, 2.0);

// Soft: a wave crosses about one cell in a step. Stiff: about ten.
struct Stiffness {
  double youngs, deformation;
};
constexpr Stiffness kSoft{1e5, 1.0}, kStiff{1e7, 0.05};

// A moving, deformed, pinned and dragged body with all the history that any stage may ask for.
struct StageSample {
  Scene scene;
  SimulationModel system;
  Points x, v, a, x_stage, v_stage, x_previous, v_previous;

  StageSample(const MaterialChoice& choice, const IntegratorRule& rule,
              const Stiffness& stiffness = kSoft)
      : scene(pinned_scene(choice, stiffness)), system(scene) {
    const Points& rest = scene.bodies[0].mesh.rest;
    const int n = static_cast<int>(rest.cols());
    RandomNumbers random(23);
    Mat3 stretch;
    stretch << 1.15, 0.1, 0, 0, 0.9, 0.05, 0.05, 0, 0.95;
    x = stretch * rest + 0.01 * random.points(n);
    x = (rest + stiffness.deformation * (x - rest)).eval();
    v = affine_velocity(rest, {0.4, 0.2, 0.2}, {2, -1, 4}, 0.5 * Mat3::Identity()) +
        0.2 * random.points(n);
    Islands solver = make_solver(system);
    a = -solver.energy_gradient(x);
    for (int i = 0; i < n; ++i)
      a.col(i) = (a.col(i) - system.drag[i] * v.col(i)) / system.mass[i] + kGravity;
    const double inner = rule.stages[0].end * kDt;
    x_stage = x + inner * v + 0.5 * inner * inner * a;
    v_stage = v + inner * a;
    x_previous = x - kDt * v + 0.5 * kDt * kDt * a;
    v_previous = v - kDt * a;
  }

  static Scene pinned_scene(const MaterialChoice& choice, const Stiffness& stiffness) {
    Body body = uneven_body(choice, stiffness.youngs, 5.0);
    body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
    return make_scene(body, {});
  }

  Stage stage(const StageRule& rule) const {
    return make_stage(rule, kDt, {x, v, a, x_stage, v_stage, a, x_previous, v_previous}, kGravity);
  }
};

constexpr SolverChoice kAllStageSolvers[] = {SolverChoice::kAutomatic, SolverChoice::kAdmm};

class EveryStage : public testing::TestWithParam<std::tuple<MaterialChoice, Integrator>> {};

INSTANTIATE_TEST_SUITE_P(All, EveryStage,
                         testing::Combine(testing::ValuesIn(material_choices()),
                                          testing::ValuesIn(kAllIntegrators)),
                         [](const auto& info) {
                           return std::get<0>(info.param).label + "_" +
                                  name(std::get<1>(info.param));
                         });

void expect_newtons_minimum(const StageSample& sample, const IntegratorRule& rule,
                            SolverChoice stage_solver) {
  Islands solver = make_solver(sample.system);
  for (int s = 0; s < rule.stage_count; ++s) {
    const Stage stage = sample.stage(rule.stages[s]);
    const Points& before = s == 0 ? sample.x : sample.x_stage;
    Points admm = before;
    std::vector<double> dual(solver.force_size(), 0.0);
    const StageResult result =
        solver.solve(stage, before, {20000, 1e-11, stage_solver}, {}, admm, dual);
    EXPECT_TRUE(result.converged) << result.primal_residual << " " << result.dual_residual;

    const NewtonReference reference(sample.system, stage);
    const Points newton = reference.minimise(before);
    const double scale = reference.gradient(before).norm();
    ASSERT_LT(reference.gradient(newton).norm(), 1e-12 * scale);
    ASSERT_GT((newton - before).norm(), 1e-2);
    const double difference = (admm - newton).norm() / (newton - before).norm();
    std::cout << "  stage " << s << ": |x_admm - x_newton| / |x_newton - x_start| = " << difference
              << " after " << result.iterations << " iterations\n";
    EXPECT_LT(difference, 1e-8);
    EXPECT_LT(reference.gradient(admm).norm(), 1e-8 * scale);
    for (int i = 0; i < sample.system.point_count(); ++i)
      EXPECT_TRUE(!sample.system.pinned[i] || admm.col(i) == before.col(i)) << "pin " << i;
  }
}

// The norms are over all points.
TEST_P(EveryStage, ConvergesToTheMinimumThatNewtonFinds) {
  const auto& [choice, integrator] = GetParam();
  const IntegratorRule rule = integrator_rule(integrator);
  for (const SolverChoice solver : kAllStageSolvers)
    expect_newtons_minimum(StageSample(choice, rule, kSoft), rule, solver);
}

TEST_P(EveryStage, ConvergesToTheMinimumThatNewtonFindsWhenStiff) {
  const auto& [choice, integrator] = GetParam();
  const IntegratorRule rule = integrator_rule(integrator);
  for (const SolverChoice solver : kAllStageSolvers)
    expect_newtons_minimum(StageSample(choice, rule, kStiff), rule, solver);
}

TEST_P(EveryStage, DualsAreTheElasticForcesAtTheSolution) {
  const auto& [choice, integrator] = GetParam();
  const IntegratorRule rule = integrator_rule(integrator);
  const StageSample sample(choice, rule);
  Islands solver = make_solver(sample.system);
  const Stage stage = sample.stage(rule.stages[0]);
  for (const SolverChoice stage_solver : kAllStageSolvers) {
    Points x = sample.x;
    std::vector<double> dual(solver.force_size(), 0.0);
    solver.solve(stage, sample.x, {20000, 1e-11, stage_solver}, {}, x, dual);
    const Points elastic = solver.energy_gradient(x);
    EXPECT_LT((solver.stage_gradient(dual) - elastic).norm(), 1e-8 * elastic.norm());
  }
}

class StageOfEveryMaterial
    : public testing::TestWithParam<std::tuple<MaterialChoice, SolverChoice>> {
 protected:
  StageSettings settings(int iterations, double tolerance) const {
    return {iterations, tolerance, std::get<1>(GetParam())};
  }

  IntegratorRule rule_ = integrator_rule(Integrator::kTrBdf2);
  StageSample sample_{std::get<0>(GetParam()), rule_};
  Islands solver_ = make_solver(sample_.system);
  Stage stage_ = sample_.stage(rule_.stages[0]);
  std::vector<double> dual_ = std::vector<double>(solver_.force_size(), 0.0);
};

INSTANTIATE_TEST_SUITE_P(Materials, StageOfEveryMaterial,
                         testing::Combine(testing::ValuesIn(material_choices()),
                                          testing::ValuesIn(kAllStageSolvers)),
                         [](const auto& info) {
                           return std::get<0>(info.param).label +
                                  (std::get<1>(info.param) == SolverChoice::kAdmm ? "_admm" : "");
                         });

TEST_P(StageOfEveryMaterial, ResidualsFallBelowTheToleranceThatWasAskedFor) {
  const Points newton = NewtonReference(sample_.system, stage_).minimise(sample_.x);
  double last = 1;
  for (const double tolerance : {1e-2, 1e-4, 1e-6, 1e-8}) {
    Points x = sample_.x;
    std::vector<double> dual(solver_.force_size(), 0.0);
    const StageResult result =
        solver_.solve(stage_, sample_.x, settings(20000, tolerance), {}, x, dual);
    EXPECT_TRUE(result.converged);
    EXPECT_LE(result.primal_residual, tolerance);
    EXPECT_LE(result.dual_residual, tolerance);
    // The tolerance is no empty promise: the error follows it.
    const double error = (x - newton).norm() / (newton - sample_.x).norm();
    EXPECT_LT(error, 100 * tolerance);
    EXPECT_LT(error, last);
    last = error;
  }
}

TEST_P(StageOfEveryMaterial, AnExhaustedBudgetIsReported) {
  Points x = sample_.x;
  const StageResult result = solver_.solve(stage_, sample_.x, settings(3, 1e-9), {}, x, dual_);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_FALSE(result.converged);
  EXPECT_GT(result.primal_residual, 1e-9);
  EXPECT_GT(result.dual_residual, 0);
}

TEST_P(StageOfEveryMaterial, StartingAtTheSolutionWithItsDualsStopsAtOnce) {
  Points x = sample_.x;
  solver_.solve(stage_, sample_.x, settings(20000, 1e-11), {}, x, dual_);
  const Points solution = x;
  const StageResult again = solver_.solve(stage_, sample_.x, settings(20000, 1e-8), {}, x, dual_);
  EXPECT_EQ(again.iterations, 1);
  EXPECT_LT((x - solution).norm(), 1e-8 * (solution - sample_.x).norm());
}

TEST_P(StageOfEveryMaterial, CancellingLeavesPositionsAndDualsAlone) {
  Points x = sample_.x;
  int polls = 0;
  const auto third = [&] { return ++polls == 3; };
  const StageResult result =
      solver_.solve(stage_, sample_.x, settings(100, 1e-11), third, x, dual_);
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(result.iterations, 2);
  EXPECT_EQ(x, sample_.x);
  EXPECT_EQ(dual_, std::vector<double>(solver_.force_size(), 0.0));
}

TEST_P(StageOfEveryMaterial, ASolveDoesNotRememberTheOnesBefore) {
  Points first = sample_.x, second = sample_.x;
  std::vector<double> dual = dual_;
  solver_.solve(stage_, sample_.x, settings(25, 0), {}, first, dual);
  const Stage other = sample_.stage(integrator_rule(Integrator::kBackwardEuler).stages[0]);
  Points ignored = 1.3 * sample_.x;
  dual.assign(dual.size(), 0.0);
  solver_.solve(other, sample_.x, settings(7, 0), {}, ignored, dual);
  dual.assign(dual.size(), 0.0);
  solver_.solve(stage_, sample_.x, settings(25, 0), {}, second, dual);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace dashpot
