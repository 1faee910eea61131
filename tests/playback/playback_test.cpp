#include "solver/playback/playback.h"

#include <gmock/gmock.h>

#include "solver/base/error.h"
#include "solver/elements/element_diagnostics.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = ShownFrame::Kind;

class FakeHost : public PlaybackHost {
 public:
  std::uint64_t identity() override { return edit; }
  Scene scene() override {
    ++builds;
    if (refuses) throw InputError("no tets");
    Scene scene;
    Body body = make_body(box_mesh({2, 1, 1}, {1, 0.5, 0.5}), {Material::kCorotated, 2e4, 0.3});
    body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
    body.fields.set("youngsmodulus", youngs, "test");
    body.velocity.setConstant(speed);
    scene.settings.gravity.x() = static_cast<double>(edit);
    scene.bodies.push_back(std::move(body));
    return scene;
  }
  std::vector<int> animated_inputs() override {
    return animated ? std::vector<int>{kInput} : std::vector<int>();
  }
  std::uint64_t version(int input) override {
    EXPECT_EQ(input, kInput);
    return input_version;
  }
  bool is_still(int) override { return still; }
  std::uint64_t input_at(int input, int frame) override {
    EXPECT_EQ(input, kInput);
    asked.push_back(frame);
    if (stops_looking) throw Interrupted();
    if (frame == unreadable_frame) throw InputError("no targets");
    return (still ? 0 : static_cast<std::uint64_t>(frame)) + input_edit * (frame == edited_frame);
  }
  void use_inputs_at(int frame) override { used.push_back(frame); }
  bool interrupted(double done) override {
    most_done = std::max(most_done, done);
    return polls_left >= 0 && polls_left-- == 0;
  }

  static constexpr int kInput = 2;
  std::uint64_t edit = 0, input_edit = 0, input_version = 1;
  int edited_frame = 0, unreadable_frame = 0;
  double speed = 0, youngs = 2e4;
  bool animated = false, refuses = false, still = false, stops_looking = false;
  int builds = 0, polls_left = -1;
  double most_done = 0;
  std::vector<int> asked, used;
};

class PlaybackTest : public ::testing::Test {
 protected:
  PlaybackTest() {
    settings_.start_frame = 5;
    settings_.cache_bytes = 1 << 24;
  }
  ShownFrame cook(double frame) { return playback_.cook(frame, settings_, host_); }
  // In a straight run.
  Points expected(int frame) {
    FakeHost host;
    host.edit = host_.edit;
    host.youngs = host_.youngs;
    Simulation simulation(host.scene());
    for (int f = settings_.start_frame; f < frame; ++f) simulation.advance(1.0 / settings_.fps);
    return simulation.state().x;
  }

  void expect_work(int orderings, int factorizations) const {
    EXPECT_EQ(playback_.simulation()->setup_work().orderings, orderings);
    EXPECT_EQ(playback_.simulation()->setup_work().factorizations, factorizations);
  }

  PlaybackSettings settings_;
  FakeHost host_;
  Playback playback_;
};

TEST_F(PlaybackTest, BeforeTheStartNothingIsBuilt) {
  EXPECT_EQ(cook(4.5).kind, Kind::kPassThrough);
  EXPECT_EQ(host_.builds, 0);
}

TEST_F(PlaybackTest, AnyOrderGivesTheFramesOfAStraightRun) {
  for (const int frame : {5, 6, 12, 8, 5, 20, 19, 7}) {
    const ShownFrame shown = cook(frame);
    EXPECT_EQ(shown.kind, Kind::kFrame);
    EXPECT_EQ(shown.x, expected(frame)) << frame;
  }
  EXPECT_EQ(host_.builds, 1);
}

TEST_F(PlaybackTest, WithoutCacheJumpingBackSimulatesAgain) {
  settings_.cache_enabled = false;
  for (const int frame : {12, 8, 20, 6}) EXPECT_EQ(cook(frame).x, expected(frame)) << frame;
  EXPECT_LE(playback_.cached_frames(), 3u);
}

TEST_F(PlaybackTest, FramesBetweenWholeOnesAreInterpolated) {
  const ShownFrame shown = cook(7.25);
  EXPECT_LT((shown.x - (0.75 * expected(7) + 0.25 * expected(8))).norm(), 1e-14);
  settings_.cache_enabled = false;
  cook(12);
  EXPECT_LT((cook(7.25).x - shown.x).norm(), 1e-15);
}

TEST_F(PlaybackTest, AFrameThatRoundingMissedIsThatFrame) {
  EXPECT_EQ(cook(7 - 1e-10).x, expected(7));
  EXPECT_EQ(cook(5 - 1e-10).kind, Kind::kFrame);
}

TEST_F(PlaybackTest, AnEditStartsAgainOrIsReported) {
  cook(8);
  host_.edit = 3;
  EXPECT_EQ(cook(8).x, expected(8));
  EXPECT_EQ(host_.builds, 2);
  settings_.auto_reset = false;
  const Points before = cook(8).x;
  host_.edit = 6;
  const ShownFrame stale = cook(8);
  EXPECT_TRUE(stale.stale);
  EXPECT_EQ(stale.x, before);
  EXPECT_EQ(host_.builds, 2);
  playback_.reset();
  EXPECT_EQ(cook(8).x, expected(8));
}

TEST_F(PlaybackTest, AfterAnEditOnlyWhatItChangedOfTheMatrixIsDoneAgain) {
  cook(8);
  expect_work(1, 1);
  host_.edit = 3;  // gravity
  EXPECT_EQ(cook(8).x, expected(8));
  expect_work(0, 0);
  host_.edit = 4;
  host_.youngs = 3e4;
  EXPECT_EQ(cook(8).x, expected(8));
  expect_work(0, 1);
  playback_.reset();
  EXPECT_EQ(cook(8).x, expected(8));
  expect_work(1, 1);
}

TEST_F(PlaybackTest, AfterAnEditThatIsRefusedTheNextCookTriesAgain) {
  cook(8);
  host_.edit = 3;
  host_.refuses = true;
  for (int cooks = 0; cooks < 2; ++cooks) EXPECT_THROW(cook(8), InputError);
  EXPECT_EQ(playback_.simulation(), nullptr);
  EXPECT_EQ(playback_.cached_frames(), 0u);
  host_.refuses = false;
  EXPECT_EQ(cook(8).x, expected(8));
  expect_work(0, 0);
}

TEST_F(PlaybackTest, AsLongAsInputsCannotBeReadAtTheStartEveryCookSaysSo) {
  host_.animated = true;
  host_.unreadable_frame = 6;
  for (int cooks = 0; cooks < 2; ++cooks) EXPECT_THROW(cook(5), InputError);
  host_.unreadable_frame = 0;
  EXPECT_EQ(cook(8).x, expected(8));
}

TEST_F(PlaybackTest, AnotherStartFrameOrFrameRateStartsAgain) {
  cook(8);
  settings_.start_frame = 7;
  EXPECT_EQ(cook(8).x, expected(8));
  settings_.fps = 30;
  EXPECT_EQ(cook(8).x, expected(8));
  EXPECT_EQ(host_.builds, 3);
}

TEST_F(PlaybackTest, AnimatedInputsAreHandedOverFrameByFrame) {
  host_.animated = true;
  cook(8);
  EXPECT_THAT(host_.used, ElementsAre(6, 7, 8));
}

TEST_F(PlaybackTest, InputsThatSayThatTheyWereNotEditedAreNotLookedAtAgain) {
  host_.animated = true;
  for (int frame = 5; frame <= 8; ++frame) cook(frame);
  EXPECT_THAT(host_.asked, ElementsAre(5, 6, 6, 7, 8));  // hosts keep the last ones
  host_.asked.clear();
  for (const int frame : {8, 6, 5, 7, 7}) cook(frame);
  EXPECT_THAT(host_.asked, ElementsAre());
}

TEST_F(PlaybackTest, AnInputThatMayHaveBeenEditedIsLookedAtFirstWhereTheArtistIs) {
  host_.animated = true;
  cook(8);
  host_.asked.clear();
  ++host_.input_version;
  cook(6);
  EXPECT_THAT(host_.asked, ElementsAre(6, 5, 7, 8));
  cook(6);  // it was not, and is not asked again
  EXPECT_EQ(host_.asked.size(), 4u);
  EXPECT_EQ(host_.builds, 1);
  host_.asked.clear();
  ++host_.input_version;
  host_.edited_frame = 6;
  host_.input_edit = 100;
  cook(6);
  EXPECT_EQ(host_.asked.front(), 6);
  EXPECT_EQ(host_.builds, 2);
}

TEST_F(PlaybackTest, AnInputThatIsTheSameAtAllFramesIsLookedAtOnce) {
  host_.animated = host_.still = true;
  cook(8);
  host_.asked.clear();
  ++host_.input_version;
  cook(6);
  EXPECT_THAT(host_.asked, ElementsAre(6));
  EXPECT_EQ(host_.builds, 1);
}

TEST_F(PlaybackTest, AnEditOfAnimatedInputsStartsAgainWhereverItIs) {
  host_.animated = true;
  cook(8);
  host_.edited_frame = 6;
  host_.input_edit = 100;
  ++host_.input_version;
  cook(8);
  EXPECT_EQ(host_.builds, 2);
}

TEST_F(PlaybackTest, WithoutAutoResetAnEditIsFoundOnceAndStaysUntilItIsTakenBack) {
  host_.animated = true;
  settings_.auto_reset = false;
  cook(8);
  host_.edited_frame = 8;
  host_.input_edit = 100;
  ++host_.input_version;
  host_.asked.clear();
  for (int cooks = 0; cooks < 3; ++cooks) EXPECT_TRUE(cook(8).stale);
  EXPECT_THAT(host_.asked, ElementsAre(8));
  host_.input_edit = 0;
  ++host_.input_version;
  EXPECT_FALSE(cook(8).stale);
  EXPECT_EQ(host_.builds, 1);
}

TEST_F(PlaybackTest, AnInterruptedLookDecidesNothing) {
  host_.animated = true;
  cook(8);
  ++host_.input_version;
  host_.stops_looking = true;
  EXPECT_EQ(cook(8).kind, Kind::kInterrupted);
  host_.stops_looking = false;
  host_.polls_left = 2;  // between looks
  EXPECT_EQ(cook(8).kind, Kind::kInterrupted);
  EXPECT_EQ(host_.builds, 1);
  EXPECT_EQ(playback_.cached_frames(), 4u);
  host_.edited_frame = 5;
  host_.input_edit = 100;
  cook(8);  // was not looked at to the end before
  EXPECT_EQ(host_.builds, 2);
}

TEST_F(PlaybackTest, FramesAreSimulatedOnce) {
  for (const int frame : {8, 6, 12, 5, 7, 12}) cook(frame);
  EXPECT_EQ(playback_.simulated_frames(), 7);
}

TEST_F(PlaybackTest, AnInterruptKeepsTheFramesBefore) {
  cook(5);
  int interruptions = 0;
  ShownFrame shown;
  do {
    host_.polls_left = 40;
    shown = cook(25);
    interruptions += shown.kind == Kind::kInterrupted;
  } while (shown.kind == Kind::kInterrupted && interruptions < 500);
  EXPECT_GT(interruptions, 2);
  EXPECT_EQ(shown.x, expected(25));
  EXPECT_EQ(host_.builds, 1);
}

TEST_F(PlaybackTest, ProgressGrowsOverTheFrames) {
  cook(15);
  EXPECT_NEAR(host_.most_done, 0.9, 1e-12);
}

TEST_F(PlaybackTest, ABreakdownNamesTheFrameAndKeepsTheFramesBefore) {
  host_.speed = 1e308;
  settings_.fps = 0.01;
  cook(5);
  try {
    cook(9);
    FAIL() << "it did not break down";
  } catch (const SimulationError& error) {
    EXPECT_THAT(error.what(), HasSubstr("frame 6: "));
  }
  EXPECT_EQ(cook(5).kind, Kind::kFrame);
  EXPECT_EQ(host_.builds, 1);
}

TEST_F(PlaybackTest, DiagnosticsAreThoseOfTheShownFrame) {
  const std::vector<const ElementDiagnostic*> wanted = {&find_element_diagnostic("strain")};
  cook(7);
  const auto seventh = playback_.evaluate(wanted);
  cook(12);
  EXPECT_NE(playback_.evaluate(wanted), seventh);
  cook(7);
  EXPECT_EQ(playback_.evaluate(wanted), seventh);
  EXPECT_EQ(cook(13).x, expected(13));
}

}  // namespace
}  // namespace dashpot
