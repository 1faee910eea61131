// The order in which Houdini asks for frames, and what happens in between, must not matter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "tests/sop_plugin/network.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The bar's pinned end swings; `reach` is what an artist edits.
struct BarSetup {
  double height = 0, reach = 0.1, stiffness = 5e4;
  bool operator<(const BarSetup& o) const {
    return std::tie(height, reach, stiffness) < std::tie(o.height, o.reach, o.stiffness);
  }
};

void fill_swinging_bar(const BarSetup& setup, GU_Detail& detail) {
  Scene scene = bar_scene();
  scene.bodies[0].position.row(1).array() += setup.height;
  fill_detail(scene, detail);
}

void fill_swinging_targets(const BarSetup& setup, double frame, GU_Detail& detail) {
  Scene scene = bar_scene();
  scene.bodies[0].position.row(1).array() += setup.height;
  scene.bodies[0].position.row(2).array() += setup.reach * std::sin(0.4 * (frame - 1));
  fill_detail(scene, detail);
}

class BarNetwork : public Network {
 public:
  explicit BarNetwork(const BarSetup& setup = {}) {
    body_ = &connect(0, {});
    targets_ = &connect(1, {}, true);
    edit(setup);
  }
  void edit(const BarSetup& setup) {
    solver().set_parm("laplaciandamping", setup.stiffness * 1e-7);
    body_->edit([setup](GU_Detail& detail, double) { fill_swinging_bar(setup, detail); });
    targets_->edit(
        [setup](GU_Detail& detail, double frame) { fill_swinging_targets(setup, frame, detail); });
  }

 private:
  standin::SourceNode *body_, *targets_;
};

// Positions of a straight run, simulated once for every setup.
const Points& straight_run(const BarSetup& setup, int frame) {
  static std::map<BarSetup, std::vector<Points>> runs;
  std::vector<Points>& run = runs[setup];
  if (run.empty()) {
    BarNetwork network(setup);
    for (int f = 1; f <= 24; ++f) run.push_back(network.positions(f));
    EXPECT_THAT(network.errors(), IsEmpty());
  }
  return run.at(static_cast<std::size_t>(frame - 1));
}

TEST(FrameOrder, ScrubbingAndEditingAtRandomGivesTheFramesOfAStraightRun) {
  std::mt19937 random(7);
  const auto pick = [&](int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  };
  const double heights[] = {0, 1.5}, reaches[] = {0.1, 0.05}, stiffnesses[] = {5e4, 1e4};
  BarSetup setup;
  BarNetwork network(setup);
  int edits = 0, halves = 0;
  for (int cook = 0; cook < 200; ++cook) {
    switch (pick(12)) {
      case 0:
        setup.height = heights[pick(2)];
        network.edit(setup);
        ++edits;
        break;
      case 1:
        setup.reach = reaches[pick(2)];
        network.edit(setup);
        ++edits;
        break;
      case 2:
        setup.stiffness = stiffnesses[pick(2)];
        network.edit(setup);
        ++edits;
        break;
      case 3:
        network.solver().set_parm("cacheenabled", pick(2));
        break;
      case 4:
        network.solver().set_parm("cachemaxsize", pick(2));
        break;
      case 5:
        network.solver().unloadData();
        break;
      case 6:
        standin::interrupt_after(pick(300));
        network.cook(1 + pick(24));
        standin::interrupt_after(-1);
        break;
      default:
        break;
    }
    const int frame = 1 + pick(23);
    const bool half = pick(4) == 0;
    const Points shown = network.positions(half ? frame + 0.5 : frame);
    ASSERT_THAT(network.errors(), IsEmpty());
    const Points begin = straight_run(setup, frame), end = straight_run(setup, frame + 1);
    if (half) {
      ++halves;
      const Points middle = begin + 0.5 * (end - begin);
      ASSERT_LT((shown - middle).cwiseAbs().maxCoeff(), 1e-12) << "cook " << cook;
    } else {
      ASSERT_EQ(shown, begin) << "cook " << cook << ", frame " << frame;
    }
  }
  EXPECT_GT(edits, 20);
  EXPECT_GT(halves, 20);
}

TEST(FrameOrder, BeforeTheStartFrameTheInputOfThatFramePassesThrough) {
  Network network;
  network.connect(
      0, [](GU_Detail& detail, double frame) { detail.add_point(frame, 0, 0); }, true);
  network.solver().set_parm("startframe", 10);
  EXPECT_EQ(network.positions(4)(0, 0), 4);
  EXPECT_EQ(network.positions(9.5)(0, 0), 9.5);
  EXPECT_THAT(network.errors(), IsEmpty());
}

TEST(FrameOrder, AJumpForwardCooksTheTargetsOfTheFramesBetween) {
  BarNetwork network;
  EXPECT_EQ(network.positions(12), straight_run({}, 12));
}

TEST(FrameOrder, AnInterruptedCatchUpGoesOnWithTheRightAnswer) {
  BarNetwork network;
  network.cook(1);
  int interruptions = 0;
  for (int tries = 0; tries < 200; ++tries) {
    standin::interrupt_after(80);
    network.cook(20);
    const bool interrupted = network.solver().is_dirty();
    EXPECT_THAT(network.errors(), IsEmpty());
    EXPECT_EQ(standin::open_operations(), 0);
    if (!interrupted) break;
    ++interruptions;
  }
  EXPECT_GT(interruptions, 2);
  EXPECT_EQ(network.positions(20), straight_run({}, 20));
}

TEST(FrameOrder, ProgressIsShown) {
  BarNetwork network;
  network.cook(11);
  EXPECT_GE(standin::last_percent(), 50);
  EXPECT_GT(standin::polls(), 100);
}

TEST(FrameOrder, AnEditOfTargetsAtAnotherFrameIsNoticedWhenTheNodeCooksAgain) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) { fill_swinging_bar({}, detail); });
  auto& targets = network.connect(
      1, [](GU_Detail& detail, double frame) { fill_swinging_targets({}, frame, detail); }, true);
  const Points before = network.positions(10);
  const auto bump = [](GU_Detail& detail, double frame) {
    BarSetup setup;
    if (frame == 5) setup.reach = 0.13;
    fill_swinging_targets(setup, frame, detail);
  };
  targets.edit(bump);
  const Points edited = network.positions(10);
  EXPECT_NE(edited, before);
  Network fresh;
  fresh.connect(0, [](GU_Detail& detail, double) { fill_swinging_bar({}, detail); });
  fresh.connect(1, bump, true);
  EXPECT_EQ(edited, fresh.positions(10));
}

TEST(FrameOrder, WithoutAutoResetFramesStayAndTheNodeWarns) {
  BarNetwork network;
  network.solver().set_parm("autoresim", 0);
  EXPECT_EQ(network.positions(6), straight_run({}, 6));
  EXPECT_THAT(network.warnings(), IsEmpty());
  BarSetup moved;
  moved.height = 1.5;
  network.edit(moved);
  EXPECT_EQ(network.positions(6), straight_run({}, 6));
  ASSERT_THAT(network.warnings(), ::testing::SizeIs(1));
  EXPECT_THAT(network.warnings()[0], HasSubstr("Reset Simulation"));
  network.solver().press("resimulate");
  EXPECT_EQ(network.positions(6), straight_run(moved, 6));
  EXPECT_THAT(network.warnings(), IsEmpty());
}

TEST(FrameOrder, ResetSimulationStartsAgain) {
  BarNetwork network;
  network.cook(8);
  network.solver().resetSimulation();
  network.solver().forceRecook();
  EXPECT_EQ(network.positions(8), straight_run({}, 8));
}

TEST(FrameOrder, InputsThatShareAnAnimatedSourceDoNotDisturbEachOther) {
  Network network;
  auto& source = network.connect(
      0, [](GU_Detail& detail, double frame) { fill_swinging_targets({}, frame, detail); }, true);
  network.solver().set_input(1, &source);
  network.solver().set_parm("laplaciandamping", 5e4 * 1e-7);
  EXPECT_EQ(network.positions(9), straight_run({}, 9));
}

}  // namespace
}  // namespace dashpot
