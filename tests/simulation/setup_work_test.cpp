// What a simulation takes over from the one before an edit. Whatever it is, its frames have the
// bits of a simulation from nothing.
#include <gtest/gtest.h>

#include <cctype>
#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "solver/base/error.h"
#include "solver/simulation/simulation.h"
#include "tests/simulation/lively_scene.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kFrameTime = 1.0 / 24;

// Stiff enough that weights stay what they are: every factorization is that of an edit.
Scene stiff_scene() {
  Scene scene;
  Body body = make_body(box_mesh({3, 2, 2}, {1, 0.5, 0.5}), {Material::kCorotated, 1e7, 0.3});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  scene.bodies.push_back(std::move(body));
  return scene;
}

std::shared_ptr<const PreparedMatrices> used(const Scene& scene, int frames = 3) {
  Simulation simulation(scene);
  for (int f = 0; f < frames; ++f) simulation.advance(kFrameTime);
  return simulation.prepared_matrix();
}

// Returns the work of the one with a former simulation.
SetupWork expect_frames_of_a_fresh_one(const Scene& scene,
                                       const std::shared_ptr<const PreparedMatrices>& former,
                                       int frames = 3) {
  Simulation heir(scene, former), fresh(scene);
  EXPECT_EQ(heir.state().hash(), fresh.state().hash());
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = heir.advance(kFrameTime), expected = fresh.advance(kFrameTime);
    EXPECT_EQ(heir.state().hash(), fresh.state().hash()) << "frame " << f;
    EXPECT_EQ(report.iterations, expected.iterations) << "frame " << f;
  }
  EXPECT_EQ(heir.dissipation(), fresh.dissipation());
  return heir.setup_work();
}

struct Edit {
  std::string name;
  std::function<void(Scene&)> apply;
  int orderings, factorizations;
};
void PrintTo(const Edit& edit, std::ostream* out) {
  *out << edit.name;
}

void set(Scene& scene, const char* token, double value) {
  scene.bodies[0].fields.set(token, value, "test");
}

const Edit kEdits[] = {
    {"nothing", [](Scene&) {}, 0, 0},
    {"gravity",
     [](Scene& s) {
       s.settings.gravity = {1, 2, 3};
     },
     0, 0},
    {"iterations", [](Scene& s) { s.settings.iterations = 90; }, 0, 0},
    {"tolerance", [](Scene& s) { s.settings.tolerance = 1e-7; }, 0, 0},
    {"velocity", [](Scene& s) { s.bodies[0].velocity.row(1).setConstant(0.3); }, 0, 0},
    {"place", [](Scene& s) { s.bodies[0].position.row(1).array() += 2; }, 0, 0},
    {"time scale and substeps, with the same step",
     [](Scene& s) { s.settings.timescale = 2, s.settings.substeps = 2; }, 0, 0},
    {"colliders",
     [](Scene& s) {
       s.colliders.push_back(make_plane({0, -0.01, 0}, {0, 1, 0}, 0.3));
     },
     0, 0},
    {"time scale", [](Scene& s) { s.settings.timescale = 0.5; }, 0, 1},
    {"substeps", [](Scene& s) { s.settings.substeps = 3; }, 0, 1},
    {"youngsmodulus", [](Scene& s) { set(s, "youngsmodulus", 2e7); }, 0, 1},
    {"massdensity", [](Scene& s) { set(s, "massdensity", 800); }, 0, 1},
    {"massdamping", [](Scene& s) { set(s, "massdamping", 2); }, 0, 1},
    {"damping, for which weights are heavier",
     [](Scene& s) {
       set(s, "dampingmodel", 2);
       set(s, "dampingtime", 0.01);
     },
     0, 1},
    {"laplaciandamping", [](Scene& s) { s.settings.laplacian_damping = 0.01; }, 0, 1},
    {"a rest shape of the same connectivity",
     [](Scene& s) { s.bodies[0].mesh.rest *= 1.01, s.bodies[0].position *= 1.01; }, 0, 1},
    {"one pin less", [](Scene& s) { s.bodies[0].pins[0].points.pop_back(); }, 1, 1},
    {"another mesh",
     [](Scene& s) {
       s.bodies[0] =
           make_body(box_mesh({3, 3, 2}, {1, 0.5, 0.5}), {Material::kCorotated, 1e7, 0.3});
     },
     1, 1},
    {"another body",
     [](Scene& s) {
       s.bodies.push_back(
           make_body(box_mesh({1, 1, 1}, {1, 1, 1}), {Material::kCorotated, 1e7, 0.3}, "b"));
       s.bodies.back().position.row(2).array() += 5;
     },
     1, 1},
};

class AfterAnEdit : public testing::TestWithParam<Edit> {};
INSTANTIATE_TEST_SUITE_P(Edits, AfterAnEdit, testing::ValuesIn(kEdits), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST_P(AfterAnEdit, OnlyWhatItChangedIsDoneAgain) {
  Scene scene = stiff_scene();
  const auto former = used(scene);
  GetParam().apply(scene);
  const SetupWork work = expect_frames_of_a_fresh_one(scene, former);
  EXPECT_EQ(work.orderings, GetParam().orderings);
  EXPECT_EQ(work.factorizations, GetParam().factorizations);
}

TEST(SetupWork, ASimulationFromNothingOrdersAndFactorsOnce) {
  Simulation simulation(stiff_scene());
  EXPECT_EQ(simulation.setup_work().orderings, 1);
  EXPECT_EQ(simulation.setup_work().factorizations, 0);
  for (int f = 0; f < 5; ++f) simulation.advance(kFrameTime);
  EXPECT_EQ(simulation.setup_work().orderings, 1);
  EXPECT_EQ(simulation.setup_work().factorizations, 1);
}

TEST(SetupWork, AllIntegratorsTakeOverTheFactorsOfEachStep) {
  for (const Integrator integrator : kAllIntegrators) {
    SCOPED_TRACE(std::string(name(integrator)));
    Scene scene = stiff_scene();
    scene.settings.integrator = integrator;
    const auto former = used(scene);
    scene.settings.gravity.x() = 4;
    const SetupWork work = expect_frames_of_a_fresh_one(scene, former);
    EXPECT_EQ(work.orderings, 0);
    EXPECT_EQ(work.factorizations, 0);
  }
}

// Weights follow the deformation, so that the last matrix is not that of the start.
TEST(SetupWork, AfterADeformationAnEditBeginsWithTheFirstFactorNotWithTheLast) {
  Scene scene = lively_scene(Integrator::kTrBdf2, {2, 2, 2});
  scene.bodies.resize(1);
  Simulation simulation(scene);
  for (int f = 0; f < 6; ++f) simulation.advance(kFrameTime);
  ASSERT_GT(simulation.setup_work().factorizations, 3);
  const auto former = simulation.prepared_matrix();
  scene.settings.gravity.x() = 4;
  Simulation fresh(scene);
  fresh.advance(kFrameTime);
  Simulation heir(scene, former);
  heir.advance(kFrameTime);
  EXPECT_LT(heir.setup_work().factorizations, fresh.setup_work().factorizations);
  EXPECT_EQ(expect_frames_of_a_fresh_one(scene, former, 6).orderings, 0);
}

TEST(SetupWork, AFormerSimulationThatGoesOnIsNotDisturbed) {
  const Scene scene = lively_scene(Integrator::kTrBdf2, {2, 2, 2});
  Scene edited = scene;
  edited.bodies[0].fields.set("youngsmodulus", 2e4, "test");
  Simulation alone(scene), former(scene);
  former.advance(kFrameTime);
  alone.advance(kFrameTime);
  Simulation heir(edited, former.prepared_matrix());
  for (int f = 0; f < 4; ++f) {
    former.advance(kFrameTime);
    heir.advance(kFrameTime);
    alone.advance(kFrameTime);
    EXPECT_EQ(former.state().hash(), alone.state().hash()) << f;
  }
}

TEST(SetupWork, ASceneThatIsRefusedLeavesTheFormerMatrixUsable) {
  Scene scene = stiff_scene();
  const auto former = used(scene);
  Scene bad = scene;
  bad.settings.substeps = 0;
  EXPECT_THROW(Simulation(bad, former), InputError);
  const SetupWork work = expect_frames_of_a_fresh_one(scene, former);
  EXPECT_EQ(work.orderings + work.factorizations, 0);
}

// Large enough for nested dissection and for a factor of single precision.
TEST(SetupWork, ALargeBodyTakesOverItsFactorOfSinglePrecision) {
  Scene scene;
  Body body = make_body(box_mesh({40, 10, 10}, {4, 1, 1}), {Material::kCorotated, 1e6, 0.3});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  scene.bodies.push_back(std::move(body));
  scene.settings.iterations = 5;
  scene.settings.tolerance = 0;
  const auto former = used(scene, 1);
  scene.settings.gravity.x() = 4;
  const SetupWork work = expect_frames_of_a_fresh_one(scene, former, 1);
  EXPECT_EQ(work.orderings, 0);
  EXPECT_EQ(work.factorizations, 0);
}

}  // namespace
}  // namespace dashpot
