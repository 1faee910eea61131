#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "solver/simulation/simulation.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

// The largest speed of a bar that swings along itself, once per frame.
std::vector<double> speeds(DampingModel model, double seconds, double exponent, int frames) {
  Body body = make_body(box_mesh({4, 1, 1}, {1, 0.25, 0.25}), {Material::kCorotated, 1e5, 0});
  set_damping(body, model, seconds, exponent, 0.5);
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  for (int i = 0; i < body.mesh.point_count(); ++i) body.position(0, i) *= 1.1;
  SolverSettings settings;
  settings.gravity.setZero();
  // Rest is where dry stages end only as well as they are solved.
  settings.iterations = exponent == 0 ? 2000 : 500;
  settings.tolerance = exponent == 0 ? 1e-8 : 1e-6;
  Simulation simulation(make_scene(body, settings));
  std::vector<double> result;
  const double start = simulation.measure().energy.total;
  double before = start;
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = simulation.advance(1.0 / 48);
    EXPECT_LT(report.energy.total, before + 1e-6 * start) << "frame " << f;
    before = report.energy.total;
    result.push_back(std::sqrt(2 * report.energy.kinetic));
  }
  return result;
}

// The envelope: the largest of a period (0.4 s).
double envelope(const std::vector<double>& v, int second) {
  double largest = 0;
  for (int k = 0; k < 20; ++k) largest = std::max(largest, v[20 * second + k]);
  return largest;
}

class PowerLaw : public testing::TestWithParam<DampingModel> {};
INSTANTIATE_TEST_SUITE_P(Models, PowerLaw, testing::ValuesIn(kAllDampingModels),
                         [](const auto& info) { return std::string(name(info.param)); });

// Brown et al. 2018 Fig. 3: from period to period the decay speeds up for p < 1, stays for p = 1,
// and slows down for p > 1.
TEST_P(PowerLaw, DecaysFasterAsExponentiallyOrSlower) {
  for (double exponent : {0.5, 1.0, 2.0}) {
    const std::vector<double> v = speeds(GetParam(), exponent < 1 ? 0.012 : 0.005, exponent, 80);
    const double early = std::log(envelope(v, 0) / envelope(v, 1));
    const double late = std::log(envelope(v, 2) / envelope(v, 3));
    std::cout << "  " << name(GetParam()) << ", p = " << exponent << ": decrement " << early
              << " then " << late << "\n";
    if (exponent < 1) {
      EXPECT_GT(late, 1.2 * early);
    } else if (exponent > 1) {
      EXPECT_LT(late, 0.8 * early);
    } else {
      EXPECT_NEAR(late, early, 0.15 * early);
    }
  }
}

TEST_P(PowerLaw, ZeroComesToRestInFiniteTimeAndStays) {
  const std::vector<double> v = speeds(GetParam(), 0.025, 0, 120);
  std::cout << "  " << name(GetParam()) << ": speed " << envelope(v, 0) << " " << envelope(v, 1)
            << " " << envelope(v, 2) << " " << envelope(v, 3) << " " << envelope(v, 4) << " "
            << envelope(v, 5) << "\n";
  EXPECT_GT(envelope(v, 0), 0.1);
  EXPECT_LT(envelope(v, 4), 1e-5);
  EXPECT_LT(envelope(v, 5), 1e-5);
}

}  // namespace
}  // namespace dashpot
