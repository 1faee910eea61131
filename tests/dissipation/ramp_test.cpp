#include "solver/dissipation/ramp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "solver/base/error.h"

namespace dashpot {
namespace {

using Interpolation = RampInterpolation;

Ramp ramp_of(const std::vector<std::pair<double, double>>& points, Interpolation interpolation) {
  std::vector<RampKey> keys;
  for (const auto& [position, value] : points) keys.push_back({position, value, interpolation});
  return Ramp(keys, "test");
}

constexpr Interpolation kThroughEveryKey[] = {Interpolation::kLinear, Interpolation::kCatmullRom,
                                              Interpolation::kMonotoneCubic};

double slope_at(const Ramp& ramp, double x) {
  constexpr double kStep = 1e-6;
  return (ramp.value(x + kStep) - ramp.value(x - kStep)) / (2 * kStep);
}

TEST(Ramp, GoesThroughItsKeysAndIsConstantOutside) {
  for (Interpolation interpolation : kThroughEveryKey) {
    const Ramp ramp = ramp_of({{0.5, 2}, {1, 0.25}, {1.2, 1}, {2, 3}}, interpolation);
    for (const RampKey& key : ramp.keys()) EXPECT_DOUBLE_EQ(ramp.value(key.position), key.value);
    EXPECT_DOUBLE_EQ(ramp.value(-5), 2);
    EXPECT_DOUBLE_EQ(ramp.value(9), 3);
  }
}

TEST(Ramp, OfOneKeyIsConstant) {
  const Ramp ramp = ramp_of({{1, 0.5}}, Interpolation::kMonotoneCubic);
  for (double x : {-1.0, 1.0, 3.0}) {
    EXPECT_DOUBLE_EQ(ramp.value(x), 0.5);
    EXPECT_DOUBLE_EQ(ramp.lookup(x).value, 0.5);
  }
}

TEST(Ramp, CatmullRomOnEvenKeysIsTheUniformSpline) {
  const Ramp ramp = ramp_of({{0, 1}, {1, 2}, {2, 4}, {3, 3}}, Interpolation::kCatmullRom);
  for (double t : {0.1, 0.5, 0.8}) {
    const double p0 = 1, p1 = 2, p2 = 4, p3 = 3;
    const double expected =
        0.5 * (2 * p1 + (p2 - p0) * t + (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t +
               (-p0 + 3 * p1 - 3 * p2 + p3) * t * t * t);
    EXPECT_NEAR(ramp.value(1 + t), expected, 1e-14);
  }
}

TEST(Ramp, SmoothCurvesHaveNoKinksAtUnevenKeys) {
  for (Interpolation interpolation : {Interpolation::kCatmullRom, Interpolation::kMonotoneCubic}) {
    const Ramp ramp = ramp_of({{0, 1}, {0.2, 2}, {1, 4}, {1.1, 6}}, interpolation);
    for (double key : {0.2, 1.0})
      EXPECT_NEAR(slope_at(ramp, key - 2e-6), slope_at(ramp, key + 2e-6), 1e-2);
  }
}

TEST(Ramp, MonotoneCubicStaysBetweenNeighbouringKeys) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> width(0.01, 1), value(0, 3);
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<std::pair<double, double>> points = {{0, value(random)}};
    for (int k = 0; k < 5; ++k)
      points.emplace_back(points.back().first + width(random), value(random));
    const Ramp ramp = ramp_of(points, Interpolation::kMonotoneCubic);
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      for (int k = 0; k <= 20; ++k) {
        const double x = points[i].first + k / 20.0 * (points[i + 1].first - points[i].first);
        EXPECT_GE(ramp.value(x), std::min(points[i].second, points[i + 1].second) - 1e-12);
        EXPECT_LE(ramp.value(x), std::max(points[i].second, points[i + 1].second) + 1e-12);
      }
  }
}

TEST(Ramp, BezierGoesThroughEveryThirdKey) {
  const Ramp ramp = ramp_of({{0, 1}, {0.1, 5}, {0.4, 0}, {1, 2}, {1.3, 4}, {1.6, 4}, {2, 0.5}},
                            Interpolation::kBezier);
  EXPECT_NEAR(ramp.value(0), 1, 1e-12);
  EXPECT_NEAR(ramp.value(1), 2, 1e-12);
  EXPECT_NEAR(ramp.value(2), 0.5, 1e-12);
  // Both coordinates at the parameter 1/3 of the first piece.
  const double t = 1.0 / 3, u = 1 - t;
  const double b[4] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
  const double x = b[1] * 0.1 + b[2] * 0.4 + b[3] * 1, y = b[0] * 1 + b[1] * 5 + b[3] * 2;
  EXPECT_NEAR(ramp.value(x), y, 1e-9);
}

TEST(Ramp, BezierWithTooFewKeysHasALowerDegree) {
  const Ramp line = ramp_of({{0, 1}, {2, 3}}, Interpolation::kBezier);
  EXPECT_NEAR(line.value(0.5), 1.5, 1e-12);
  const Ramp parabola = ramp_of({{0, 0}, {1, 2}, {2, 0}}, Interpolation::kBezier);
  EXPECT_NEAR(parabola.value(1), 1, 1e-12);
}

TEST(Ramp, EachKeySaysHowItGoesOn) {
  const Ramp ramp({{0, 0, Interpolation::kLinear},
                   {1, 1, Interpolation::kMonotoneCubic},
                   {2, 0, Interpolation::kLinear},
                   {3, 4, Interpolation::kLinear}},
                  "test");
  EXPECT_NEAR(ramp.value(0.25), 0.25, 1e-14);
  EXPECT_GT(ramp.value(1.25), 0.75 + 0.01);
  EXPECT_NEAR(ramp.value(2.5), 2, 1e-14);
}

TEST(Ramp, TableFollowsTheCurve) {
  const Ramp ramp = ramp_of({{0.7, 1}, {1, 0.1}, {1.3, 1}}, Interpolation::kMonotoneCubic);
  for (double x = 0.6; x < 1.4; x += 0.00137) {
    EXPECT_NEAR(ramp.lookup(x).value, ramp.value(x), 1e-5);
    if (x > 0.71 && x < 1.29) {
      EXPECT_NEAR(ramp.lookup(x).slope, slope_at(ramp, x), 0.02);
    }
  }
  EXPECT_DOUBLE_EQ(ramp.lowest(), 0.1);
  EXPECT_DOUBLE_EQ(ramp.highest(), 1);
}

std::string refusal(std::vector<RampKey> keys) {
  try {
    const Ramp ramp(std::move(keys), "body 'jelly'");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Ramp, RefusesWhatIsNoMultiplier) {
  using testing::HasSubstr;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refusal({}), HasSubstr("body 'jelly': the ramp has no keys"));
  EXPECT_THAT(refusal({{0.5, 1}, {1, -0.1}}), HasSubstr("is -0.1 at key 2"));
  EXPECT_THAT(refusal({{0.5, kNan}}), HasSubstr("key 1 that is not a finite number"));
  EXPECT_THAT(refusal({{1, 1}, {0.5, 1}}), HasSubstr("sort the keys"));
  EXPECT_THAT(refusal({{0, 3, Interpolation::kCatmullRom},
                       {1, 0.01, Interpolation::kCatmullRom},
                       {2, 0, Interpolation::kCatmullRom},
                       {3, 2, Interpolation::kCatmullRom}}),
              HasSubstr("swings below zero at"));
}

TEST(Ramp, AConstantPieceEndsAtTheNextKey) {
  const Ramp ramp({{0.5, 3, RampInterpolation::kConstant},
                   {1, 1, RampInterpolation::kLinear},
                   {2, 2, RampInterpolation::kConstant}},
                  "test");
  EXPECT_EQ(ramp.value(0.75), 3);
  EXPECT_EQ(ramp.value(1), 1);
  EXPECT_DOUBLE_EQ(ramp.value(1.5), 1.5);
  EXPECT_EQ(ramp.lookup(0.9).value, 3);
  EXPECT_EQ(ramp.lookup(0.9).slope, 0);
}

}  // namespace
}  // namespace dashpot
