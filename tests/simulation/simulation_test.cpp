#include "solver/simulation/simulation.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <functional>
#include <sstream>

#include "solver/base/error.h"
#include "tests/simulation/lively_scene.h"

namespace dashpot {
namespace {

constexpr double kFrame = 1.0 / 24;

class EveryIntegrator : public testing::TestWithParam<Integrator> {
 protected:
  Scene scene() const { return lively_scene(GetParam(), {2, 2, 2}); }
};

INSTANTIATE_TEST_SUITE_P(Integrators, EveryIntegrator, testing::ValuesIn(kAllIntegrators),
                         [](const auto& info) { return std::string(name(info.param)); });

void advance(Simulation& simulation, int frames) {
  for (int f = 0; f < frames; ++f) simulation.advance(kFrame);
}

TEST_P(EveryIntegrator, ARestoredStateContinuesBitForBit) {
  Simulation undisturbed(scene());
  advance(undisturbed, 3);
  std::stringstream file;
  undisturbed.state().save(file);
  advance(undisturbed, 4);

  Simulation fresh(scene());
  fresh.restore(State::load(file));
  advance(fresh, 4);
  EXPECT_EQ(fresh.state().hash(), undisturbed.state().hash());
}

TEST_P(EveryIntegrator, AUsedSimulationCanBeRewound) {
  Simulation simulation(scene());
  const State start = simulation.state();
  advance(simulation, 2);
  const State second = simulation.state();
  advance(simulation, 3);
  const std::uint64_t end = simulation.state().hash();
  simulation.restore(second);
  advance(simulation, 3);
  EXPECT_EQ(simulation.state().hash(), end);
  simulation.restore(start);
  advance(simulation, 5);
  EXPECT_EQ(simulation.state().hash(), end);
}

TEST_P(EveryIntegrator, CancellingLeavesTheLastCompleteSubstep) {
  Scene scene_of_four = scene();
  // A known number of polls.
  scene_of_four.bodies = {scene_of_four.bodies[2]};
  scene_of_four.settings.tolerance = 0;
  scene_of_four.settings.substeps = 4;
  scene_of_four.settings.iterations = 10;
  Scene scene_of_one = scene_of_four;
  scene_of_one.settings.substeps = 1;
  const int polls_per_step = 10 * integrator_rule(GetParam()).stage_count;

  Simulation cancelled(scene_of_four), steps(scene_of_one);
  // One step more than BDF2 needs to start by itself, and then some.
  for (int s = 0; s < 2; ++s) steps.advance(kFrame / 4);
  int polls = 0, startup = GetParam() == Integrator::kBdf2 ? 10 : 0;
  const int stop = startup + 2 * polls_per_step + 5;
  const FrameReport report = cancelled.advance(kFrame, [&] { return ++polls == stop; });
  EXPECT_TRUE(report.has(Status::kCancelled));
  EXPECT_EQ(cancelled.state().steps, 2);
  EXPECT_EQ(cancelled.state().hash(), steps.state().hash());

  // And it can go on from there.
  const FrameReport next = cancelled.advance(kFrame);
  EXPECT_FALSE(next.has(Status::kCancelled));
  for (int s = 0; s < 4; ++s) steps.advance(kFrame / 4);
  EXPECT_EQ(cancelled.state().hash(), steps.state().hash());
}

TEST(Simulation, CancellingAtOnceChangesNothing) {
  Simulation simulation(lively_scene(Integrator::kTrBdf2, {2, 2, 2}));
  const std::uint64_t before = simulation.state().hash();
  EXPECT_TRUE(simulation.advance(kFrame, [] { return true; }).has(Status::kCancelled));
  EXPECT_EQ(simulation.state().hash(), before);
}

std::uint64_t hash_with_threads(const Scene& scene, int threads) {
  const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
  tbb::task_arena arena(threads);
  std::uint64_t hash = 0;
  arena.execute([&] {
    Simulation simulation(scene);
    advance(simulation, 4);
    hash = simulation.state().hash();
  });
  return hash;
}

// 3240 tets of all materials: many chunks in every parallel loop.
TEST(Simulation, TheNumberOfThreadsDoesNotChangeABit) {
  for (const Integrator integrator : {Integrator::kTrBdf2, Integrator::kBathe}) {
    const Scene scene = lively_scene(integrator, {6, 6, 5});
    const std::uint64_t one = hash_with_threads(scene, 1);
    EXPECT_EQ(hash_with_threads(scene, 2), one);
    EXPECT_EQ(hash_with_threads(scene, 4), one);
  }
}

TEST_P(EveryIntegrator, SeveralBodiesMoveAsTheyWouldAlone) {
  Scene together = scene();
  const SolverSettings settings = exact_settings(GetParam());
  together.settings = settings;
  Simulation all(together);
  advance(all, 6);
  for (int b = 0; b < 3; ++b) {
    Simulation alone(make_scene(together.bodies[b], settings));
    const Points start = alone.state().x;
    advance(alone, 6);
    const Points difference =
        all.state().x.middleCols(all.point_offset(b), start.cols()) - alone.state().x;
    EXPECT_LT(difference.norm(), 1e-9 * (alone.state().x - start).norm()) << "body " << b;
  }
}

TEST(Simulation, OffsetsAreThoseOfTheBodiesInOrder) {
  const Simulation simulation(lively_scene(Integrator::kTrBdf2, {2, 2, 2}));
  for (int b = 0; b < 3; ++b) {
    EXPECT_EQ(simulation.point_offset(b), 27 * b);
    EXPECT_EQ(simulation.tet_offset(b), 48 * b);
  }
}

TEST(Simulation, TimescaleStretchesTime) {
  Scene slow = lively_scene(Integrator::kTrBdf2, {2, 2, 2}), normal = slow;
  slow.settings.timescale = 0.5;
  Simulation a(slow), b(normal);
  for (int f = 0; f < 4; ++f) {
    a.advance(0.04);
    b.advance(0.02);
  }
  EXPECT_EQ(a.state().hash(), b.state().hash());
  EXPECT_NEAR(a.state().time, 0.08, 1e-15);
}

TEST(Simulation, RefusesAStateOfAnotherScene) {
  Simulation small(lively_scene(Integrator::kTrBdf2, {2, 2, 2}));
  const Simulation large(lively_scene(Integrator::kTrBdf2, {3, 2, 2}));
  const std::uint64_t before = small.state().hash();
  EXPECT_THROW(small.restore(large.state()), InputError);
  EXPECT_EQ(small.state().hash(), before);
}

TEST(Simulation, RefusesATimeStepThatIsNotPositive) {
  Simulation simulation(lively_scene(Integrator::kTrBdf2, {2, 2, 2}));
  EXPECT_THROW(simulation.advance(0), InputError);
  EXPECT_THROW(simulation.advance(-1), InputError);
  EXPECT_THROW(simulation.advance(std::nan("")), InputError);
}

TEST(Simulation, AStepThatDoesNotStayFiniteLeavesTheStateAsItWas) {
  Scene scene = lively_scene(Integrator::kTrBdf2, {2, 2, 2});
  scene.bodies[0].velocity.setConstant(1e308);
  Simulation simulation(scene);
  const std::uint64_t before = simulation.state().hash();
  EXPECT_THROW(simulation.advance(100), SimulationError);
  EXPECT_EQ(simulation.state().hash(), before);
}

TEST(Simulation, FingerprintChangesWithAllThatTheMotionDependsOn) {
  const auto fingerprint = [](const std::function<void(Scene&)>& edit) {
    Scene scene = lively_scene(Integrator::kTrBdf2, {2, 2, 2});
    edit(scene);
    return Simulation(scene).fingerprint();
  };
  const std::uint64_t original = fingerprint([](Scene&) {});
  EXPECT_EQ(fingerprint([](Scene&) {}), original);
  const std::function<void(Scene&)> edits[] = {
      [](Scene& s) { s.settings.integrator = Integrator::kBathe; },
      [](Scene& s) { s.settings.substeps = 2; },
      [](Scene& s) { s.settings.timescale = 0.5; },
      [](Scene& s) { s.settings.gravity.x() = 1; },
      [](Scene& s) { s.settings.iterations = 61; },
      [](Scene& s) { s.settings.tolerance = 1e-5; },
      [](Scene& s) { s.bodies[0].name = "other"; },
      [](Scene& s) { s.bodies[0].mesh.rest *= 1.01; },
      [](Scene& s) { s.bodies[0].position(0, 5) += 0.01; },
      [](Scene& s) { s.bodies[0].velocity(0, 5) += 0.01; },
      [](Scene& s) { std::swap(s.bodies[0].mesh.tets[0], s.bodies[0].mesh.tets[1]); },
      [](Scene& s) { s.bodies[0].fields.set("material", 0, ""); },
      [](Scene& s) { s.bodies[0].fields.set("youngsmodulus", 1, ""); },
      [](Scene& s) { s.bodies[0].fields.set("poissonratio", 0.1, ""); },
      [](Scene& s) { s.bodies[0].fields.set("massdensity", 1, ""); },
      [](Scene& s) { s.bodies[0].fields.set("massdamping", 1, ""); },
      [](Scene& s) { s.bodies[0].friction.assign(s.bodies[0].mesh.point_count(), 2); },
      [](Scene& s) { s.bodies[0].contact.friction = 0.1; },
      [](Scene& s) { s.bodies[0].contact.self_contact = false; },
      [](Scene& s) { s.bodies[0].no_contact = {s.bodies[1].name}; },
      [](Scene& s) { s.bodies[0].no_contact_points.assign(s.bodies[0].mesh.point_count(), 1); },
      [](Scene& s) {
        s.bodies[0].pieces = {{{"one"}, {}, {}}};
      },
      [](Scene& s) {
        s.bodies[0].pieces = {{{}, {s.bodies[1].name}, {}}};
      },
      [](Scene& s) {
        s.bodies[0].pieces = {{{}, {}, BodyContact{true, 0.1, 0}}};
      },
      [](Scene& s) { s.bodies[1].pins.clear(); },
      [](Scene& s) { s.bodies[2].pins[0].motion = nullptr; }};
  for (std::size_t k = 0; k < std::size(edits); ++k)
    EXPECT_NE(fingerprint(edits[k]), original) << "edit " << k;
}

}  // namespace
}  // namespace dashpot
