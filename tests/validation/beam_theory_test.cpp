#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

constexpr double kLength = 1, kDepth = 0.2, kWidth = 0.1, kDensity = 1000, kGravity = 9.81;
constexpr double kYoungs = 3e7;

// Tip of a clamped bar under its own weight, at rest, Poisson's ratio 0: bending (Euler-Bernoulli)
// and shear (Timoshenko, 5/6 for a rectangle, G = E/2).
double timoshenko_sag() {
  const double load = kDensity * kGravity * kDepth * kWidth;  // N/m
  const double inertia = kWidth * std::pow(kDepth, 3) / 12, area = kDepth * kWidth;
  return load * std::pow(kLength, 4) / (8 * kYoungs * inertia) +
         load * kLength * kLength / (2 * (5.0 / 6) * (kYoungs / 2) * area);
}

double simulated_sag(int refinement) {
  const int r = refinement;
  Body body = make_body(box_mesh({10 * r, 2 * r, r}, {kLength, kDepth, kWidth}),
                        {Material::kCorotated, kYoungs, 0});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  // Near the critical damping of the first bending mode (110 rad/s): comes to rest soonest.
  body.fields.set("massdamping", 220, "beam");
  SolverSettings settings;
  settings.integrator = Integrator::kBackwardEuler;
  settings.iterations = 200;
  settings.tolerance = 1e-4;
  Simulation simulation(make_scene(body, settings));
  double sag = 0, last = 1;
  for (int f = 0; f < 60 && std::abs(sag - last) > 1e-6 * sag; ++f) {
    simulation.advance(0.05);
    last = sag;
    sag = body.position(1, body.position.cols() - 1) -
          simulation.state().x(1, body.position.cols() - 1);
  }
  return sag;
}

// Linear tets are too stiff in bending: the sag must rise to the theory's from below, its error
// fall with the square of the cell size.
TEST(BeamTheory, CantileverSagConvergesToTimoshenko) {
  const double exact = timoshenko_sag();
  double error[3];
  for (int k = 0; k < 3; ++k) {
    const double sag = simulated_sag(1 << k);
    error[k] = 1 - sag / exact;
    std::cout << "  " << (2 << k) << " cells deep: sag " << sag << " m, Timoshenko " << exact
              << " m, error " << 100 * error[k] << " %\n";
    EXPECT_GT(error[k], 0);
  }
  EXPECT_GT(error[0] / error[1], 2.5);
  EXPECT_GT(error[1] / error[2], 3.2);
  EXPECT_LT(error[2], 0.06);
}

// Fixed-free rod, Poisson's ratio 0: f = sqrt(E / rho) / (4 L).
TEST(BeamTheory, LongitudinalModeOfARodHasItsFrequency) {
  Body body = make_body(box_mesh({40, 1, 1}, {1, 0.05, 0.05}), {Material::kCorotated, 1e6, 0});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  const double pi = 3.141592653589793;
  for (int i = 0; i < body.mesh.point_count(); ++i)
    body.position(0, i) += 1e-3 * std::sin(pi / 2 * body.mesh.rest(0, i));
  SolverSettings settings = exact_settings(Integrator::kTrBdf2);
  settings.gravity.setZero();
  Simulation simulation(make_scene(body, settings));
  const int tip = body.mesh.point_count() - 1;
  const double exact = std::sqrt(1e6 / kDensity) / 4;
  const double dt = 1 / (100 * exact);
  // Quarter periods after which the tip passes its rest position: 1, 3, 5.
  std::vector<double> crossings;
  double last = 1e-3;
  while (crossings.size() < 3) {
    ASSERT_LT(simulation.state().steps, 200);
    simulation.advance(dt);
    const double now = simulation.state().x(0, tip) - 1;
    if ((now > 0) != (last > 0))
      crossings.push_back(simulation.state().time - dt * now / (now - last));
    last = now;
  }
  const double frequency = 1 / (crossings[2] - crossings[0]);
  std::cout << "  " << frequency << " Hz, theory " << exact << " Hz\n";
  EXPECT_NEAR(frequency, exact, 0.002 * exact);
}

}  // namespace
}  // namespace dashpot
