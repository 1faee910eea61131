#include <gtest/gtest.h>

#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/explicit_reference.h"

namespace dashpot {
namespace {

constexpr double kSeconds = 0.4;

// 48 tets, stretched, spinning, sheared, falling and dragged.
Body tumbling_jelly(Material material, double massdamping) {
  Body body = make_body(box_mesh({2, 2, 2}, {0.5, 0.4, 0.3}), {material, 2e3, 0.3});
  body.fields.set("massdamping", massdamping, "jelly");
  Mat3 stretch, rate;
  stretch << 1.15, 0.05, 0, 0, 0.95, 0, 0, 0, 0.95;
  rate << 0.5, 0, 0, 0, -0.3, 0.2, 0, 0, 0;
  const Vec3 center(0.25, 0.2, 0.15);
  body.position = (stretch * (body.mesh.rest.colwise() - center)).colwise() + center;
  body.velocity = affine_velocity(body.position, center, {1, -0.5, 4}, rate);
  return body;
}

// |x - x_reference| at the end, over all points.
double error_with(const Body& body, Integrator integrator, int steps, const Points& reference) {
  SolverSettings settings = exact_settings(integrator);
  settings.substeps = steps;
  Simulation simulation(make_scene(body, settings));
  simulation.advance(kSeconds);
  return (simulation.state().x - reference).norm();
}

Points reference_end(const Body& body) {
  const Scene scene = make_scene(body, {});
  const SimulationModel system(scene);
  ExplicitReference coarse(system, scene.settings.gravity), fine = coarse;
  coarse.advance(kSeconds, 1000);
  fine.advance(kSeconds, 2000);
  EXPECT_LT((fine.x - coarse.x).norm(), 1e-9);  // it can be called exact
  return fine.x;
}

class Order : public testing::TestWithParam<Integrator> {
 protected:
  void expect_order(const Body& body) {
    const Points reference = reference_end(body);
    double error[4];
    for (int k = 0; k < 4; ++k) error[k] = error_with(body, GetParam(), 8 << k, reference);
    const double order = std::log2(error[2] / error[3]);
    std::cout << "  " << name(GetParam()) << ": error " << error[0] << " " << error[1] << " "
              << error[2] << " " << error[3] << " m at 8, 16, 32, 64 steps, order " << order
              << "\n";
    RecordProperty("order", std::to_string(order));
    EXPECT_NEAR(order, GetParam() == Integrator::kBackwardEuler ? 1 : 2, 0.1);
  }
};

INSTANTIATE_TEST_SUITE_P(Integrators, Order, testing::ValuesIn(kAllIntegrators),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Order, AgainstRungeKuttaOfTheSameMesh) {
  expect_order(tumbling_jelly(Material::kNeoHookean, 0));
}

TEST_P(Order, AgainstRungeKuttaOfTheSameMeshWithMassDamping) {
  expect_order(tumbling_jelly(Material::kCorotated, 2));
}

// Speed in drag alone: v0 exp(-a t).
TEST_P(Order, OfMassDampingOfAFreeBody) {
  constexpr double kDrag = 3;
  Body body = make_body(box_mesh({1, 1, 1}, {1, 1, 1}), {});
  body.fields.set("massdamping", kDrag, "box");
  const Vec3 start(2, -1, 0.5);
  body.velocity.colwise() = start;
  double error[2];
  for (int k = 0; k < 2; ++k) {
    SolverSettings settings = exact_settings(GetParam());
    settings.gravity.setZero();
    settings.substeps = 64 << k;
    Simulation simulation(make_scene(body, settings));
    simulation.advance(1);
    const Points expected = (std::exp(-kDrag) * start).replicate(1, body.mesh.point_count());
    error[k] = (simulation.state().v - expected).cwiseAbs().maxCoeff();
  }
  const double order = std::log2(error[0] / error[1]);
  std::cout << "  " << name(GetParam()) << ": speed error " << error[0] << " " << error[1]
            << " m/s, order " << order << "\n";
  EXPECT_NEAR(order, GetParam() == Integrator::kBackwardEuler ? 1 : 2, 0.1);
  EXPECT_LT(error[1], GetParam() == Integrator::kBackwardEuler ? 1e-2 : 1e-3);
}

}  // namespace
}  // namespace dashpot
