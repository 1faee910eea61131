#include "solver/base/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "solver/base/simd_math.h"

namespace dashpot {
namespace {

std::vector<double> positive_samples() {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  std::vector<double> samples = {1.0,
                                 std::nextafter(1.0, 0.0),
                                 std::nextafter(1.0, 2.0),
                                 std::sqrt(0.5),
                                 std::sqrt(2.0),
                                 std::nextafter(std::sqrt(2.0), 2.0),
                                 2.0,
                                 0.5,
                                 std::numeric_limits<double>::min(),
                                 std::numeric_limits<double>::max()};
  for (int i = 0; i < 100000; ++i) {
    samples.push_back(std::exp(1400.0 * uniform(random) - 700.0));
    samples.push_back(1.0 + std::pow(2.0, -52.0 * uniform(random)) * (uniform(random) - 0.5));
    samples.push_back(0.008 + 10.0 * uniform(random));
  }
  return samples;
}

double ulp(double x) {
  const double a = std::abs(x);
  return std::nextafter(a, std::numeric_limits<double>::infinity()) - a;
}

TEST(Log, IsWithinTwoUlpOfTheLibrary) {
  for (const double x : positive_samples()) {
    const double expected = std::log(x);
    ASSERT_LE(std::abs(lane_log(x) - expected), 2.0 * ulp(expected)) << "x = " << x;
  }
}

TEST(Log, OfOneIsExactlyZero) {
  EXPECT_EQ(lane_log(1.0), 0.0);
}

TEST(Log, GivesTheSameBitsInEveryLaneAsForADouble) {
  const std::vector<double> samples = positive_samples();
  for (std::size_t i = 0; i + kLanes <= samples.size(); i += kLanes) {
    const Lane x = {samples[i], samples[i + 1], samples[i + 2], samples[i + 3]};
    const Lane y = lane_log(x);
    for (int lane = 0; lane < kLanes; ++lane)
      ASSERT_EQ(to_bits(y[lane]), to_bits(lane_log(samples[i + lane])));
  }
}

TEST(Lane, ArithmeticMatchesDoublesBitForBit) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 10000; ++trial) {
    const auto random_lane = [&] { return make_lane([&](int) { return normal(random); }); };
    const Lane a = random_lane(), b = random_lane(), c = random_lane();
    const Lane fma = lane_fma(a, b, c), root = lane_sqrt(lane_abs(a));
    const Lane low = lane_min(a, b), high = lane_max(a, b);
    for (int i = 0; i < kLanes; ++i) {
      ASSERT_EQ(to_bits(fma[i]), to_bits(lane_fma(a[i], b[i], c[i])));
      ASSERT_EQ(to_bits(root[i]), to_bits(std::sqrt(std::abs(a[i]))));
      ASSERT_EQ(low[i], std::min(a[i], b[i]));
      ASSERT_EQ(high[i], std::max(a[i], b[i]));
    }
  }
}

TEST(Lane, SelectTakesEachLaneFromItsOwnSide) {
  const Lane a = {1.0, 2.0, 3.0, 4.0}, b = {-1.0, 5.0, -3.0, 5.0};
  const Lane chosen = select(a > b, a, b);
  EXPECT_EQ(chosen[0], 1.0);
  EXPECT_EQ(chosen[1], 5.0);
  EXPECT_EQ(chosen[2], 3.0);
  EXPECT_EQ(chosen[3], 5.0);
}

TEST(Lane, AnySeesEverySingleLane) {
  const Lane zero = {};
  EXPECT_FALSE(any(zero > 0.0));
  EXPECT_TRUE(any(mask_not(zero > 0.0)));
  for (int lane = 0; lane < kLanes; ++lane) {
    Lane x = {};
    x[lane] = 1.0;
    EXPECT_TRUE(any(x > 0.0)) << lane;
  }
}

TEST(Lane, AbsClearsTheSignOfZeroToo) {
  const Lane x = lane_abs(Lane{-0.0, -2.0, 3.0, 0.0});
  EXPECT_FALSE(std::signbit(x[0]));
  EXPECT_EQ(x[1], 2.0);
  EXPECT_EQ(x[2], 3.0);
}

}  // namespace
}  // namespace dashpot
