#include <gtest/gtest.h>

#include "tests/stage/elastic_samples.h"

namespace dashpot {
namespace {

class EnergyGradient : public testing::TestWithParam<MaterialChoice> {};

INSTANTIATE_TEST_SUITE_P(Materials, EnergyGradient, testing::ValuesIn(material_choices()),
                         [](const auto& info) { return info.param.label; });

double elastic_energy(const SimulationModel& system, const Points& x) {
  return measure(system, x, Points::Zero(3, x.cols()), Vec3::Zero(), -1).elastic;
}

// Largest difference to central differences of the measured energy, relative to the largest force.
double gradient_error(const SimulationModel& system, const Points& x) {
  constexpr double kStep = 1e-6;
  Islands solver = make_solver(system);
  const Points gradient = solver.energy_gradient(x);
  double error = 0;
  for (int i = 0; i < x.cols(); ++i)
    for (int d = 0; d < 3; ++d) {
      Points plus = x, minus = x;
      plus(d, i) += kStep;
      minus(d, i) -= kStep;
      const double slope =
          (elastic_energy(system, plus) - elastic_energy(system, minus)) / (2 * kStep);
      error = std::max(error, std::abs(slope - gradient(d, i)));
    }
  return error / gradient.cwiseAbs().maxCoeff();
}

TEST_P(EnergyGradient, IsTheSlopeOfTheMeasuredEnergy) {
  const Scene scene = make_scene(uneven_body(GetParam()), {});
  const SimulationModel system(scene);
  RandomNumbers random(3);
  const Points& rest = scene.bodies[0].mesh.rest;
  for (const double shake : {0.02, 0.06}) {
    const Points x = rest + shake * random.points(static_cast<int>(rest.cols()));
    EXPECT_LT(gradient_error(system, x), 1e-8) << "points moved by up to " << shake;
  }
}

TEST_P(EnergyGradient, IsTheSlopeOfTheMeasuredEnergyInsideOutToo) {
  const Scene scene = make_scene(uneven_body(GetParam()), {});
  const SimulationModel system(scene);
  RandomNumbers random(4);
  const Points& rest = scene.bodies[0].mesh.rest;
  const Points x = rest + 0.3 * random.points(static_cast<int>(rest.cols()));
  const Measurement m = measure(system, x, 0 * x, Vec3::Zero(), -1);
  ASSERT_GT(m.inverted, 10);
  ASSERT_LT(m.min_stretch, -0.3);
  EXPECT_LT(gradient_error(system, x), 1e-8);
}

TEST_P(EnergyGradient, VanishesAtRestAndUnderRigidMotion) {
  const Scene scene = make_scene(uneven_body(GetParam()), {});
  const SimulationModel system(scene);
  Islands solver = make_solver(system);
  const Points& rest = scene.bodies[0].mesh.rest;
  const Mat3 turn = Eigen::AngleAxisd(2.1, Vec3(1, 2, -1).normalized()).toRotationMatrix();
  const Points moved = (turn * rest).colwise() + Vec3(3, -4, 5);
  const double scale = solver.energy_gradient(1.1 * rest).norm();
  EXPECT_LT(solver.energy_gradient(rest).norm(), 1e-13 * scale);
  EXPECT_LT(solver.energy_gradient(moved).norm(), 1e-12 * scale);
}

TEST_P(EnergyGradient, ForcesAndTorquesOfABodyOnItselfCancel) {
  const Scene scene = make_scene(uneven_body(GetParam()), {});
  const SimulationModel system(scene);
  Islands solver = make_solver(system);
  RandomNumbers random(5);
  const Points& rest = scene.bodies[0].mesh.rest;
  const Points x = rest + 0.1 * random.points(static_cast<int>(rest.cols()));
  const Points force = solver.energy_gradient(x);
  Vec3 torque = Vec3::Zero();
  for (int i = 0; i < x.cols(); ++i) torque += Vec3(x.col(i)).cross(Vec3(force.col(i)));
  EXPECT_LT(force.rowwise().sum().norm(), 1e-13 * force.norm());
  EXPECT_LT(torque.norm(), 1e-13 * force.norm());
}

}  // namespace
}  // namespace dashpot
