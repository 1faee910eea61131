#include "standalone/report/compact_data.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <random>

namespace dashpot {
namespace {

// Written from the description in compact_data.h, apart from the code that is tested.
std::vector<std::uint8_t> unpack(const std::string& text, std::size_t size) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> packed;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count >= 8) {
      count -= 8;
      packed.push_back(static_cast<std::uint8_t>(bits >> static_cast<unsigned>(count)));
    }
  }
  std::vector<std::uint8_t> bytes(size);
  uLongf length = size;
  EXPECT_EQ(::uncompress(bytes.data(), &length, packed.data(), packed.size()), Z_OK);
  EXPECT_EQ(length, size);
  return bytes;
}

int unzigzag(int coded) {
  return coded % 2 == 0 ? coded / 2 : -(coded + 1) / 2;
}

TEST(CompactData, PositionsAreRightToHalfAStep) {
  const Points points = Points::Random(3, 200);
  const Vec3 low = points.rowwise().minCoeff(), high = points.rowwise().maxCoeff();
  const Quantisation quantisation = quantisation_of(low, high);
  EXPECT_NEAR(quantisation.step, (high - low).maxCoeff() / 65535, 1e-12);
  const auto numbers = quantise(points, quantisation);
  for (Eigen::Index p = 0; p < points.cols(); ++p)
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const double back =
          low[axis] + quantisation.step * numbers[static_cast<std::size_t>(3 * p + axis)];
      EXPECT_NEAR(back, points(axis, p), 0.5001 * quantisation.step);
    }
}

TEST(CompactData, ASinglePointIsNoDivisionByZero) {
  const Points point = Points::Constant(3, 1, 7.0);
  const Quantisation quantisation = quantisation_of(point.col(0), point.col(0));
  EXPECT_THAT(quantise(point, quantisation), testing::Each(0));
}

TEST(CompactData, ValuesAboveTheLimitAreTheLimit) {
  EXPECT_THAT(quantise(std::vector<float>{0.0F, 0.432F, 2.0F, 9.0F, -1.0F}, 2.0),
              testing::ElementsAre(0, 153, 255, 255, 0));
  EXPECT_THAT(quantise(std::vector<float>{1.0F}, 0.0), testing::ElementsAre(0));
}

TEST(CompactData, FramesOfPositionsComeBack) {
  std::mt19937 random(3);
  std::vector<std::vector<std::uint16_t>> frames(5, std::vector<std::uint16_t>(30));
  for (auto& frame : frames)
    for (auto& number : frame) number = static_cast<std::uint16_t>(random());
  const std::size_t all = 150;
  const auto bytes = unpack(pack_frames(frames, 3), 2 * all);
  std::vector<std::vector<int>> back(5, std::vector<int>(30));
  for (std::size_t f = 0; f < 5; ++f)
    for (std::size_t i = 0; i < 30; ++i) {
      const std::size_t at = f * 30 + i;
      int predicted = 0;
      if (f == 0 && i >= 3) predicted = back[0][i - 3];
      if (f == 1) predicted = back[0][i];
      if (f >= 2) predicted = 2 * back[f - 1][i] - back[f - 2][i];
      back[f][i] = (predicted + unzigzag(bytes[at] | bytes[all + at] << 8)) & 0xFFFF;
      EXPECT_EQ(back[f][i], frames[f][i]);
    }
}

TEST(CompactData, FramesOfValuesAndListsComeBack) {
  const std::vector<std::vector<std::uint8_t>> frames = {{0, 255, 7}, {1, 0, 7}, {250, 3, 8}};
  const auto bytes = unpack(pack_frames(frames), 9);
  for (std::size_t i = 0; i < 3; ++i) {
    int sum = 0;
    for (std::size_t f = 0; f < 3; ++f) {
      sum = (sum + bytes[3 * f + i]) & 0xFF;
      EXPECT_EQ(sum, frames[f][i]);
    }
  }
  const std::vector<std::int32_t> numbers = {5, 0, 2000000000, 3, 3, 70000};
  const auto planes = unpack(pack_numbers(numbers), 24);
  std::int64_t before = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    std::int64_t coded = 0;
    for (std::size_t plane = 4; plane-- > 0;) coded = coded * 256 + planes[6 * plane + i];
    before += coded % 2 == 0 ? coded / 2 : -(coded + 1) / 2;
    EXPECT_EQ(before, numbers[i]);
  }
}

TEST(CompactData, SmoothMotionIsSmall) {
  // A thousand points that move evenly: all but the first two frames are predicted exactly.
  std::vector<std::vector<std::uint16_t>> frames;
  for (int f = 0; f < 32; ++f) {
    frames.emplace_back();
    for (int i = 0; i < 3000; ++i)
      frames.back().push_back(static_cast<std::uint16_t>(7919 * i + f * (i % 13)));
  }
  EXPECT_LT(pack_frames(frames, 3).size(), 12000U);
}

}  // namespace
}  // namespace dashpot
