// The two ways to solve a stage come to the same motion.
#include <gtest/gtest.h>

#include <string>

#include "solver/parameters/parameters.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kDt = 1.0 / 24;

SolverSettings exact_with(SolverChoice stage_solver) {
  SolverSettings settings;
  settings.stage_solver = stage_solver;
  settings.iterations = 5000;
  settings.tolerance = 1e-9;
  return settings;
}

// A beam that is struck: it bends, and twists.
Scene struck_beam(const std::string& model, SolverChoice stage_solver) {
  Body body = make_body(box_mesh({8, 2, 2}, {1, 0.25, 0.25}), {});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  for (int i = 0; i < body.mesh.point_count(); ++i) {
    const Vec3 x = body.mesh.rest.col(i);
    body.velocity.col(i) = Vec3(0, -2 * x[0] - 4 * x[0] * x[2], 4 * x[0] * x[1]);
  }
  body.fields.set("dampingmodel", menu_index(parameter("dampingmodel"), model, "test"), "body");
  body.fields.set("dampingtime", 0.02, "body");
  body.fields.set("dampingshear", 200, "body");
  body.fields.set("dampingstrength", 200, "body");
  return make_scene(body, exact_with(stage_solver));
}

class EveryDamping : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryDamping,
                         testing::Values("none", "strainrate", "rayleigh", "rayleighlagged",
                                         "principalstrain", "stretchrate"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(EveryDamping, MovesAlikeWithEitherStageSolver) {
  Simulation automatic(struck_beam(GetParam(), SolverChoice::kAutomatic));
  Simulation admm(struck_beam(GetParam(), SolverChoice::kAdmm));
  int fewer = 0, more = 0;
  for (int frame = 0; frame < 6; ++frame) {
    const FrameReport a = automatic.advance(kDt), b = admm.advance(kDt);
    EXPECT_FALSE(a.has(Status::kBudgetExhausted)) << frame;
    fewer += a.iterations;
    more += b.iterations;
  }
  const Points start = automatic.scene().bodies[0].mesh.rest;
  EXPECT_LT((automatic.state().x - admm.state().x).norm(),
            1e-6 * (automatic.state().x - start).norm());
  EXPECT_LT(fewer, more);
}

// Quasi-Newton steps do not know of colliders: they must be given up in time.
TEST(SolverChoice, HandsOverToAdmmWhenABodyLands) {
  const auto falling_block = [](SolverChoice stage_solver) {
    Body body = make_body(box_mesh({3, 2, 2}, {0.3, 0.2, 0.2}), {Material::kNeoHookean, 1e5, 0.3});
    for (int i = 0; i < body.mesh.point_count(); ++i) body.position.col(i)[1] += 0.5;
    Scene scene = make_scene(body, exact_with(stage_solver));
    scene.colliders.push_back(make_plane({0, 0, 0}, {0, 1, 0}, 0.5));
    return scene;
  };
  Simulation automatic(falling_block(SolverChoice::kAutomatic));
  Simulation admm(falling_block(SolverChoice::kAdmm));
  int touched = 0;
  for (int frame = 0; frame < 10; ++frame) {
    const FrameReport a = automatic.advance(kDt);
    admm.advance(kDt);
    touched += a.contact.contacts > 0;
    EXPECT_LT(a.contact.penetration, 1e-7);
    EXPECT_LT((automatic.state().x - admm.state().x).norm(), 1e-5) << "frame " << frame;
  }
  EXPECT_GT(touched, 0);
  EXPECT_LT(touched, 10);
}

}  // namespace
}  // namespace dashpot
