#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "solver/simulation/simulation.h"
#include "solver/simulation/simulation_model.h"
#include "solver/stage/islands.h"
#include "tests/support/runge_kutta.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

constexpr double kDampedSeconds = 0.2;

// 48 tets, stretched and spinning, with damping stresses like the elastic ones.
Body damped_jelly(DampingModel model, double exponent = 1) {
  Body body = make_body(box_mesh({2, 2, 2}, {0.5, 0.4, 0.3}), {Material::kNeoHookean, 2e3, 0.3});
  set_damping(body, model, 0.05, exponent);
  Mat3 stretch, rate;
  stretch << 1.15, 0.05, 0, 0, 0.95, 0, 0, 0, 0.95;
  rate << 0.5, 0, 0, 0, -0.3, 0.2, 0, 0, 0;
  const Vec3 center(0.25, 0.2, 0.15);
  body.position = (stretch * (body.mesh.rest.colwise() - center)).colwise() + center;
  body.velocity = affine_velocity(body.position, center, {1, -0.5, 4}, rate);
  return body;
}

// The classical Runge-Kutta rule on the model's own forces, whose formulas are checked by finite
// differences in tests/dissipation.
Points runge_kutta_end(const Body& body, bool conserve, int steps) {
  Scene scene = make_scene(body, {});
  scene.settings.conserve_angular = conserve;
  const SimulationModel system(scene);
  Islands solver(system);
  const auto acceleration = [&](const Points& x, const Points& v) {
    Points a = -solver.force_gradient(x, v);
    for (int i = 0; i < system.point_count(); ++i)
      a.col(i) = a.col(i) / system.mass[i] + scene.settings.gravity;
    return a;
  };
  Points x = system.initial_x, v = system.initial_v;
  const double dt = kDampedSeconds / steps;
  for (int s = 0; s < steps; ++s) runge_kutta_step(dt, acceleration, x, v);
  return x;
}

struct Variant {
  bool conserve = true, second_order = true;
  double exponent = 1;
};

double error_after(const Body& body, const Variant& variant, int steps, const Points& reference) {
  SolverSettings settings = exact_settings(Integrator::kTrBdf2);
  settings.second_order = variant.second_order;
  settings.tolerance = 1e-9;
  settings.substeps = steps;
  settings.conserve_angular = variant.conserve;
  Simulation simulation(make_scene(body, settings));
  simulation.advance(kDampedSeconds);
  return (simulation.state().x - reference).norm();
}

double measured_order(DampingModel model, const Variant& variant) {
  const Body body = damped_jelly(model, variant.exponent);
  const Points reference = runge_kutta_end(body, variant.conserve, 2000);
  double error[3];
  for (int k = 0; k < 3; ++k) error[k] = error_after(body, variant, 16 << k, reference);
  const double order = std::log2(error[1] / error[2]);
  std::cout << "  " << name(model) << (variant.conserve ? "" : ", not conserving")
            << (variant.second_order ? "" : ", uncorrected") << ", exponent " << variant.exponent
            << ": error " << error[0] << " " << error[1] << " " << error[2]
            << " m at 16, 32, 64 steps, order " << order << "\n";
  return order;
}

// Brown et al. 2018 Fig. 8: the second order with the correction; without it, rayleigh has the
// first order, and strainrate, which hardly depends on the position otherwise than through its
// rate, the second.
TEST(DampingOrder, IsTheIntegratorsOwn) {
  EXPECT_NEAR(measured_order(DampingModel::kStrainRate, {}), 2, 0.15);
  EXPECT_NEAR(measured_order(DampingModel::kStretchRate, {}), 2, 0.15);
  EXPECT_NEAR(measured_order(DampingModel::kRayleigh, {}), 2, 0.15);
  EXPECT_NEAR(measured_order(DampingModel::kRayleigh, {false}), 2, 0.15);
  EXPECT_NEAR(measured_order(DampingModel::kStretchRate, {true, true, 2}), 2, 0.15);
}

TEST(DampingOrder, WithoutTheCorrectionIsOneForRayleighOnly) {
  EXPECT_NEAR(measured_order(DampingModel::kStrainRate, {true, false}), 2, 0.15);
  EXPECT_NEAR(measured_order(DampingModel::kRayleigh, {false, false}), 1, 0.2);
}

TEST(DampingOrder, IsOneWithTheStiffnessOfTheStart) {
  EXPECT_NEAR(measured_order(DampingModel::kRayleighLagged, {false}), 1, 0.2);
}

}  // namespace
}  // namespace dashpot
