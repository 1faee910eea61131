// What a cook costs upstream: each input is cooked once at each frame, and not at all if it says
// that nobody edited it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cmath>
#include <random>

#include "GEO/GEO_PrimVDB.h"
#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kLast = 240;

void fill_moved_bar(GU_Detail& detail, double shift) {
  Scene scene = bar_scene();
  scene.bodies[0].position.row(2).array() += shift;
  fill_detail(scene, detail);
}

void fill_swaying_bar(GU_Detail& detail, double frame) {
  fill_moved_bar(detail, 0.05 * std::sin(0.2 * (frame - 1)));
}

// A ball that goes up and down far below the bar.
void fill_ball(GU_Detail& detail, double frame) {
  openvdb::initialize();
  auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(0.5F, {0, -4, 0}, 0.25F);
  grid->setName("surface");
  grid->transform().postTranslate({0, 0.01 * std::sin(frame), 0});
  detail.add_primitive(GEO_PRIMVDB, {},
                       std::make_shared<GEO_PrimVDB>(detail.next_primitive_offset(), grid));
}

class Upstream : public testing::Test {
 protected:
  void play(int last = kLast) {
    for (int frame = 1; frame <= last; ++frame) network_.cook(frame);
    ASSERT_THAT(network_.errors(), IsEmpty());
  }
  void forget_cooks() {
    for (standin::SourceNode* source : {&body_, &targets_, &ball_}) source->forget_cooks();
  }
  // At every frame once, and at no other.
  static void expect_one_cook_per_frame(const standin::SourceNode& source, int last = kLast) {
    EXPECT_EQ(static_cast<int>(source.cooks().size()), last);
    for (const auto& [frame, count] : source.cooks()) {
      EXPECT_EQ(count, 1) << frame;
      EXPECT_EQ(frame, std::round(frame));
    }
  }
  void expect_no_cooks() const {
    for (const standin::SourceNode* source : {&body_, &targets_, &ball_})
      EXPECT_THAT(source->cooks(), IsEmpty());
  }

  Network network_;
  standin::SourceNode& body_ = network_.connect(0, fill_bar);
  standin::SourceNode& targets_ = network_.connect(1, fill_swaying_bar, true);
  standin::SourceNode& ball_ = network_.connect(2, fill_ball, true);
};

TEST_F(Upstream, PlayingCooksEachInputOncePerFrameAndScrubbingNone) {
  play();
  EXPECT_EQ(body_.cook_count(), 1);
  expect_one_cook_per_frame(targets_);
  expect_one_cook_per_frame(ball_);
  EXPECT_EQ(network_.simulated_frames(), kLast - 1);
  forget_cooks();
  std::mt19937 random(3);
  for (int cook = 0; cook < 100; ++cook)
    network_.cook(std::uniform_int_distribution<int>(1, kLast)(random));
  expect_no_cooks();
  EXPECT_EQ(network_.simulated_frames(), kLast - 1);
}

TEST_F(Upstream, ACacheLimitThatUnloadsEverythingCostsNeitherCooksNorFrames) {
  standin::set_cache_limit(0);
  // The solver too, by a node that is shown in between.
  standin::SourceNode other([](GU_Detail& detail, double) { detail.add_point(0, 0, 0); }, true);
  for (int frame = 1; frame <= kLast; ++frame) {
    EXPECT_GT(network_.cook(frame).getNumPoints(), 0);
    other.cook(standin::time_of(frame));
    ASSERT_EQ(network_.solver().getLoadedMemoryUsage(), 0);
  }
  EXPECT_EQ(body_.cook_count(), 1);
  expect_one_cook_per_frame(targets_);
  expect_one_cook_per_frame(ball_);
  for (const int frame : {7, 130, 2, kLast}) network_.cook(frame);
  expect_one_cook_per_frame(targets_);
  EXPECT_EQ(body_.cook_count(), 1);
  EXPECT_EQ(network_.simulated_frames(), kLast - 1);
}

TEST_F(Upstream, AnOutputThatIsTurnedOnOrAnEditThatIsNoneCostsNoFrames) {
  play(40);
  forget_cooks();
  network_.solver().set_parm("outputstress", 1);
  network_.cook(40);
  expect_no_cooks();
  targets_.edit(fill_swaying_bar);  // to the same
  network_.cook(25);
  expect_one_cook_per_frame(targets_, 40);
  EXPECT_THAT(ball_.cooks(), IsEmpty());
  EXPECT_THAT(body_.cooks(), IsEmpty());
  network_.cook(26);
  expect_one_cook_per_frame(targets_, 40);
  EXPECT_EQ(network_.simulated_frames(), 39);
}

TEST_F(Upstream, AnEditIsFoundAtItsFirstLookIfItIsWhereTheArtistIs) {
  play(40);
  forget_cooks();
  ball_.edit([](GU_Detail& detail, double frame) { fill_ball(detail, frame + 0.5); });
  network_.cook(40);
  // The look that found it, and the frames simulated again.
  EXPECT_EQ(ball_.cooks().at(40), 2);
  EXPECT_EQ(ball_.cook_count(), 40 + 41);
  expect_one_cook_per_frame(targets_, 40);
  EXPECT_THAT(body_.cooks(), IsEmpty());
  EXPECT_EQ(network_.simulated_frames(), 39);
}

TEST_F(Upstream, AnInputThatDoesNotDependOnTimeIsCookedOnce) {
  auto& still = network_.connect(2, [](GU_Detail& detail, double) { fill_ball(detail, 1); });
  play(40);
  EXPECT_EQ(still.cook_count(), 1);
  still.edit([](GU_Detail& detail, double) { fill_ball(detail, 1); });
  network_.cook(11);
  EXPECT_EQ(still.cook_count(), 2);
  EXPECT_EQ(network_.simulated_frames(), 39);
}

TEST_F(Upstream, AnAnimatedChainThatTwoInputsShareIsCookedOncePerFrame) {
  network_.solver().set_input(0, &targets_);
  play();
  expect_one_cook_per_frame(targets_);
}

TEST_F(Upstream, AttributesThatAreNotSimulatedAreThoseOfTheInputNow) {
  play(5);
  body_.edit([](GU_Detail& detail, double) {
    fill_detail(bar_scene(), detail);
    detail.addFloatTuple(GA_ATTRIB_POINT, "Cd", 3)->set_number(detail.pointOffset(2), 1, 0.5);
  });
  const GU_Detail& shown = network_.cook(5);
  EXPECT_NE(shown.findAttribute(GA_ATTRIB_POINT, "Cd"), nullptr);
  EXPECT_EQ(network_.simulated_frames(), 4);
}

// They may change without an edit.
TEST_F(Upstream, AnInputThatDependsOnContextOptionsIsLookedAtInEveryCook) {
  play(10);
  ball_.dataMicroNode().uses_context_options = true;
  forget_cooks();
  network_.cook(5);
  expect_one_cook_per_frame(ball_, 10);
  EXPECT_THAT(targets_.cooks(), IsEmpty());
}

TEST_F(Upstream, AnInterruptedInputIsNeitherAnEditNorAnError) {
  Network straight;
  straight.connect(0, fill_bar);
  straight.connect(1, fill_swaying_bar, true);
  straight.connect(2, fill_ball, true);
  const Points expected = straight.positions(6);
  play(12);
  for (int polls = 0; polls < 30; ++polls) {
    body_.edit(fill_bar);
    targets_.edit(fill_swaying_bar);
    ball_.edit(fill_ball);
    standin::interrupt_after(polls);
    network_.cook(6);
    standin::interrupt_after(-1);
    ASSERT_THAT(network_.errors(), IsEmpty()) << polls;
    EXPECT_EQ(standin::open_operations(), 0);
    ASSERT_EQ(network_.positions(6), expected) << polls;
    ASSERT_EQ(network_.simulated_frames(), 11) << polls;  // later frames are still there
  }
}

TEST_F(Upstream, AFirstCookThatIsInterruptedAnywhereGoesOnAfterwards) {
  const Points expected = network_.positions(3);
  for (int polls = 0; polls < 12; ++polls) {
    Network network;
    network.connect(0, fill_bar);
    network.connect(1, fill_swaying_bar, true);
    network.connect(2, fill_ball, true);
    standin::interrupt_after(polls);
    network.cook(3);
    standin::interrupt_after(-1);
    ASSERT_THAT(network.errors(), IsEmpty()) << polls;
    ASSERT_EQ(network.positions(3), expected) << polls;
  }
}

TEST_F(Upstream, BeforeTheStartAnInterruptedInputIsNotShown) {
  network_.solver().set_parm("startframe", 10);
  const Points before = network_.positions(4);
  body_.edit([](GU_Detail& detail, double) { fill_moved_bar(detail, 1); });
  standin::interrupt_after(0);
  EXPECT_EQ(network_.positions(4), before);
  standin::interrupt_after(-1);
  EXPECT_NE(network_.positions(4), before);
  EXPECT_THAT(network_.errors(), IsEmpty());
}

}  // namespace
}  // namespace dashpot
