// Gravity and forces that a host changes from frame to frame.
#include <gtest/gtest.h>

#include "solver/base/error.h"
#include "solver/mesh/rest_shape.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

Scene hanging_bar(Integrator integrator, const Vec3& gravity) {
  Scene scene;
  scene.settings = exact_settings(integrator);
  scene.settings.gravity = gravity;
  Body body = make_body(box_mesh({3, 1, 1}, {0.6, 0.2, 0.2}), {Material::kCorotated, 3e4, 0.3});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  scene.bodies.push_back(std::move(body));
  return scene;
}

std::vector<double> masses(const Body& body) {
  return lumped_mass(body.mesh, make_rest_shape(body.mesh),
                     body.fields.expand("massdensity", body.mesh.tet_count()));
}

// The force that accelerates every point by g.
Points weight(const Body& body, const Vec3& g) {
  const std::vector<double> m = masses(body);
  Points force(3, body.position.cols());
  for (Eigen::Index i = 0; i < force.cols(); ++i) force.col(i) = m[static_cast<std::size_t>(i)] * g;
  return force;
}

class HostLoads : public testing::TestWithParam<Integrator> {};

INSTANTIATE_TEST_SUITE_P(Integrators, HostLoads, testing::ValuesIn(kAllIntegrators),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(HostLoads, AForceOfMassTimesGravityIsGravity) {
  const Vec3 g(1, -5, 2);
  Simulation falling(hanging_bar(GetParam(), g)), pulled(hanging_bar(GetParam(), Vec3::Zero()));
  pulled.set_external_force(weight(pulled.scene().bodies[0], g));
  for (int frame = 0; frame < 8; ++frame) {
    falling.advance(1.0 / 24);
    pulled.advance(1.0 / 24);
    EXPECT_LT((falling.state().x - pulled.state().x).norm(), 1e-9) << frame;
  }
}

TEST_P(HostLoads, GravitySetBeforeTheFirstStepIsAsIfTheSceneHadIt) {
  const Vec3 g(0, 3, -4);
  Simulation with(hanging_bar(GetParam(), g)), set(hanging_bar(GetParam(), {0, -9.81, 0}));
  set.set_gravity(g);
  for (int frame = 0; frame < 8; ++frame) {
    with.advance(1.0 / 24);
    set.advance(1.0 / 24);
  }
  EXPECT_LT((with.state().x - set.state().x).norm(), 1e-9);
}

TEST(Loads, TheWorkOfForcesIsInTheLedger) {
  Scene scene = hanging_bar(Integrator::kTrBdf2, Vec3::Zero());
  scene.bodies[0].pins.clear();
  Simulation simulation(scene);
  simulation.set_external_force(weight(scene.bodies[0], {0, 2, 0}));
  FrameReport report;
  for (int frame = 0; frame < 24; ++frame) report = simulation.advance(1.0 / 24);
  double mass = 0;
  for (const double m : masses(scene.bodies[0])) mass += m;
  EXPECT_NEAR(report.energy.kinetic, 0.5 * mass * 4, 1e-6 * mass);  // at 2 m/s after a second
  EXPECT_NEAR(report.energy.work, report.energy.kinetic, 1e-6 * mass);
}

TEST(Loads, WithoutForcesNothingChanges) {
  Simulation plain(hanging_bar(Integrator::kTrBdf2, {0, -9.81, 0}));
  Simulation relieved(hanging_bar(Integrator::kTrBdf2, {0, -9.81, 0}));
  relieved.set_external_force(weight(relieved.scene().bodies[0], {5, 5, 5}));
  relieved.set_external_force(Points(3, 0));
  relieved.set_gravity({0, -9.81, 0});
  plain.advance(0.1);
  relieved.advance(0.1);
  EXPECT_EQ(plain.state().hash(), relieved.state().hash());
}

TEST(Loads, ForcesOfAnotherCountAreRefused) {
  Simulation simulation(hanging_bar(Integrator::kTrBdf2, Vec3::Zero()));
  EXPECT_THROW(simulation.set_external_force(Points::Zero(3, 2)), InputError);
}

}  // namespace
}  // namespace dashpot
