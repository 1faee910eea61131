#include <gtest/gtest.h>

#include <iostream>

#include "solver/simulation/energies.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/newton_reference.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

// Overby et al. 2017 Fig. 2: all points of a body in one point, or anywhere in its bounding box.
struct Start {
  std::string label;
  bool random;
  std::uint64_t seed;
};

const Start kPoint{"point", false, 0};

struct Case {
  Material material;
  Integrator integrator;
  Start start;
};

std::string label(const testing::TestParamInfo<Case>& info) {
  return std::string(name(info.param.material)) + "_" + name(info.param.integrator) + "_" +
         info.param.start.label;
}

struct Recovered {
  FrameReport before, after;
  int frames = 0;
  Scene scene;
  Points x;
};

// 240 frames, or until the energy is gone.
Recovered recover(const Case& c) {
  Body body = make_body(box_mesh({4, 3, 3}, {0.8, 0.6, 0.6}), {c.material, 1e4, 0.3});
  body.fields.set("massdamping", 4, "body");
  const Vec3 middle(0.4, 0.3, 0.3);
  RandomNumbers random(c.start.seed);
  for (int i = 0; i < body.mesh.point_count(); ++i) {
    body.position.col(i) = middle;
    if (c.start.random) body.position.col(i) += middle.cwiseProduct(random.vector());
  }
  SolverSettings settings;
  settings.integrator = c.integrator;
  settings.gravity.setZero();
  settings.iterations = 100;
  Simulation simulation(make_scene(body, settings));
  Recovered r;
  r.before = r.after = simulation.measure();
  const double enough = 1e-7 * r.before.energy.elastic;
  for (; r.frames < 240 && r.after.energy.total > enough; ++r.frames)
    r.after = simulation.advance(1.0 / 24);
  r.scene = simulation.scene();
  r.x = simulation.state().x;
  std::cout << "  " << r.frames << " frames: elastic energy " << r.before.energy.elastic << " -> "
            << r.after.energy.elastic << " J, kinetic " << r.after.energy.kinetic
            << " J, stretches " << r.after.all.min_stretch << " ... " << r.after.all.max_stretch
            << ", inverted " << r.after.all.inverted << "\n";
  return r;
}

std::vector<Case> recovering_cases() {
  const Start one{"random1", true, 1}, two{"random2", true, 2}, three{"random3", true, 3};
  std::vector<Case> cases;
  for (Material m : kAllMaterials)
    for (Integrator i : {Integrator::kBackwardEuler, Integrator::kTrBdf2})
      cases.push_back({m, i, kPoint});
  // The paper's material, and the two that let tets pass through each other most easily.
  for (const Start& start : {one, two, three}) {
    cases.push_back({Material::kStvk, Integrator::kBackwardEuler, start});
    cases.push_back({Material::kStvk, Integrator::kTrBdf2, start});
    cases.push_back({Material::kArap, Integrator::kBackwardEuler, start});
    cases.push_back({Material::kCorotated, Integrator::kBackwardEuler, start});
  }
  return cases;
}

class Recovery : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(All, Recovery, testing::ValuesIn(recovering_cases()), label);

TEST_P(Recovery, TheBodyFindsItsShapeAgain) {
  const Recovered r = recover(GetParam());
  EXPECT_EQ(r.after.all.inverted, 0);
  EXPECT_LT(r.after.energy.elastic, 1e-6 * r.before.energy.elastic);
  EXPECT_NEAR(r.after.all.min_stretch, 1, 0.02);
  EXPECT_NEAR(r.after.all.max_stretch, 1, 0.02);
}

// Neo-Hookean tets resist being turned inside out so strongly that a tangle can be a minimum of
// the energy. The solver's duty is then to find one and come to rest in it; Newton's method,
// started there, cannot leave it either.
class Tangle : public testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    NeoHookean, Tangle,
    testing::Values(Case{Material::kNeoHookean, Integrator::kBackwardEuler, {"random1", true, 1}},
                    Case{Material::kNeoHookean, Integrator::kTrBdf2, {"random1", true, 1}}),
    label);

TEST_P(Tangle, TheBodyComesToRestInAMinimumOfItsEnergy) {
  const Recovered r = recover(GetParam());
  EXPECT_LT(r.after.energy.elastic, 0.05 * r.before.energy.elastic);
  EXPECT_LT(r.after.energy.kinetic, 1e-9 * r.before.energy.elastic);
  const SimulationModel system(r.scene);
  Stage still;  // so long that inertia does not matter
  still.h = 1e6;
  still.x_p = still.x_tilde = r.x;
  const Points newton = NewtonReference(system, still).minimise(r.x);
  const double least = measure(system, newton, 0 * newton, Vec3::Zero(), -1).elastic;
  EXPECT_NEAR(r.after.energy.elastic, least, 1e-6 * least);
}

}  // namespace
}  // namespace dashpot
