#include "solver/playback/frame_cache.h"

#include <gmock/gmock.h>

namespace dashpot {
namespace {

using ::testing::ElementsAre;

std::shared_ptr<CachedFrame> frame_of(int points) {
  auto frame = std::make_shared<CachedFrame>();
  frame->state.x = Points::Zero(3, points);
  return frame;
}

std::vector<int> frames_in(const FrameCache& cache, int last) {
  std::vector<int> frames;
  for (int f = 0; f <= last; ++f)
    if (cache.find(f)) frames.push_back(f);
  return frames;
}

TEST(FrameCache, CountsTheBytesThatItHolds) {
  FrameCache cache;
  cache.set_limit(1 << 20);
  cache.insert(1, frame_of(100));
  EXPECT_EQ(cache.bytes(), sizeof(CachedFrame) + 2400);
  cache.insert(1, frame_of(200));
  EXPECT_EQ(cache.bytes(), sizeof(CachedFrame) + 4800);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(FrameCache, GivesTheLastFrameAtOrBeforeAnother) {
  FrameCache cache;
  cache.set_limit(1 << 20);
  for (const int f : {3, 7}) cache.insert(f, frame_of(1));
  EXPECT_EQ(cache.latest(2).second, nullptr);
  EXPECT_EQ(cache.latest(3).first, 3);
  EXPECT_EQ(cache.latest(6).first, 3);
  EXPECT_EQ(cache.latest(99).first, 7);
}

TEST(FrameCache, AFullCacheIsThinnedOutEvenlyAndKeepsTheFirstAndTheNewest) {
  FrameCache cache;
  const std::size_t one = frame_of(100)->bytes();
  cache.set_limit(8 * one);
  for (int f = 1; f <= 32; ++f) {
    cache.insert(f, frame_of(100));
    EXPECT_LE(cache.bytes(), 8 * one);
    EXPECT_NE(cache.find(1), nullptr);
    EXPECT_NE(cache.find(f), nullptr);
    EXPECT_NE(cache.find(std::max(1, f - 1)), nullptr);
  }
  const std::vector<int> frames = frames_in(cache, 32);
  ASSERT_EQ(frames.size(), 8u);
  for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_LE(frames[i] - frames[i - 1], 12);
}

TEST(FrameCache, WithoutRoomTheFirstAndTheTwoNewestStay) {
  FrameCache cache;
  cache.set_limit(0);
  for (const int f : {1, 2, 3, 4, 5, 4}) cache.insert(f, frame_of(1));
  EXPECT_THAT(frames_in(cache, 9), ElementsAre(1, 4, 5));
}

TEST(FrameCache, ALowerLimitTakesEffectAtOnce) {
  FrameCache cache;
  cache.set_limit(1 << 20);
  for (int f = 1; f <= 9; ++f) cache.insert(f, frame_of(1));
  cache.set_limit(5 * frame_of(1)->bytes());
  EXPECT_EQ(cache.count(), 5u);
}

}  // namespace
}  // namespace dashpot
