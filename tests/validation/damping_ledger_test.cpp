#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <iostream>
#include <numeric>

#include "solver/base/error.h"
#include "solver/simulation/simulation.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

class DampedLedger : public testing::TestWithParam<DampingModel> {};
INSTANTIATE_TEST_SUITE_P(Models, DampedLedger, testing::ValuesIn(kAllDampingModels),
                         [](const auto& info) { return std::string(name(info.param)); });

Body swinging_beam(DampingModel model) {
  Body body = make_body(box_mesh({4, 1, 1}, {0.8, 0.2, 0.2}), {Material::kNeoHookean, 4e4, 0.3});
  set_damping(body, model, 0.02);
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  return body;
}

// What is dissipated is what is missing, to the order of the integrator, and to 1e-6 of the energy
// that is exchanged with small steps.
TEST_P(DampedLedger, Closes) {
  double loss[2];
  EnergyLedger e;
  for (int k = 0; k < 2; ++k) {
    SolverSettings settings = exact_settings(Integrator::kTrBdf2);
    settings.tolerance = 1e-8;
    settings.substeps = 400 << k;
    Simulation simulation(make_scene(swinging_beam(GetParam()), settings));
    e = simulation.advance(0.25).energy;
    loss[k] = std::abs(e.lost) / (std::abs(e.gravitational) + e.kinetic + e.elastic);
    const auto& tets = simulation.dissipation();
    EXPECT_NEAR(std::accumulate(tets.begin(), tets.end(), 0.0), e.dissipated, 1e-12 * e.dissipated);
  }
  std::cout << "  " << name(GetParam()) << ": dissipated " << e.dissipated << " J, lost " << loss[0]
            << ", " << loss[1] << " of the energy\n";
  EXPECT_GT(e.dissipated, 0.05 * e.elastic);
  EXPECT_LT(loss[1], GetParam() == DampingModel::kRayleighLagged ? 1e-4 : 1e-6);
}

// The tet array is of the last frame only, and never negative.
TEST_P(DampedLedger, BooksEveryFrameAndTet) {
  Simulation simulation(make_scene(swinging_beam(GetParam()), {}));
  double before = 0;
  for (int f = 0; f < 12; ++f) {
    const double total = simulation.advance(1.0 / 24).energy.dissipated;
    double sum = 0;
    for (double energy : simulation.dissipation()) {
      EXPECT_GE(energy, 0);
      sum += energy;
    }
    EXPECT_NEAR(sum, total - before, 1e-9 * total);
    before = total;
  }
  EXPECT_GT(before, 0);
}

TEST_P(DampedLedger, AndMotionDoNotDependOnTheNumberOfThreads) {
  Body body = make_body(box_mesh({12, 6, 6}, {1, 0.4, 0.4}), {Material::kNeoHookean, 4e4, 0.3});
  set_damping(body, GetParam(), 0.02, 1.5);
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  std::uint64_t hash[2];
  for (int threads : {1, 3}) {
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
    Simulation simulation(make_scene(body, {}));
    for (int f = 0; f < 2; ++f) simulation.advance(1.0 / 24);
    hash[threads / 2] = simulation.state().hash();
  }
  EXPECT_EQ(hash[0], hash[1]);
}

// One scene, no setting touched: a bar that falls and rings along itself.
TEST_P(DampedLedger, SweepOverStiffnessAndDampingConverges) {
  int worst = 0;
  for (double youngs : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8})
    for (double seconds : {1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0}) {
      Body body =
          make_body(box_mesh({8, 2, 2}, {1, 0.25, 0.25}), {Material::kNeoHookean, youngs, 0.4});
      set_damping(body, GetParam(), seconds);
      const Mat3 pull = Vec3(0.3, 0, 0).asDiagonal();
      body.velocity = affine_velocity(body.position, {0.5, 0.125, 0.125}, Vec3::Zero(), pull);
      Simulation simulation(make_scene(body, {}));
      const double start = simulation.measure().energy.total;
      for (int f = 0; f < 8; ++f) {
        const FrameReport report = simulation.advance(1.0 / 24);
        worst = std::max(worst, report.iterations / 2);
        // Where stretches meet, principalstrain has a kink and may end its budget above 1e-4.
        const double enough = GetParam() == DampingModel::kPrincipalStrain ? 1e-3 : 1e-4;
        EXPECT_LE(std::max(report.primal_residual, report.dual_residual), enough)
            << youngs << " Pa, " << seconds << " s, frame " << f;
        EXPECT_LT(report.energy.total, start + 1e-3 * std::abs(start))
            << youngs << " Pa, " << seconds << " s, frame " << f;
      }
    }
  std::cout << "  " << name(GetParam()) << ": at most " << worst << " iterations per stage\n";
}

TEST(DampingInput, BadValuesNameTheAttributeAndTheElement) {
  ElementFields fields;
  const auto message = [&](const std::string& token, std::vector<double> values) {
    try {
      fields.set_per_element(token, std::move(values), "body 'jelly'");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* token : {"dampingshear", "dampingbulk", "dampingtime", "dampingstrength",
                            "dampingexponent", "dampingreference", "dampingmodel"}) {
    for (double bad : {-1.0, std::nan(""), HUGE_VAL}) {
      const std::string text = message(token, {1, bad});
      EXPECT_NE(text.find(token), std::string::npos) << text;
      EXPECT_NE(text.find("tet 1"), std::string::npos) << text;
    }
  }
  EXPECT_NE(message("dampingreference", {0.0}), "");
  EXPECT_NE(message("dampingmodel", {1.5}), "");
}

}  // namespace
}  // namespace dashpot
