#include <gtest/gtest.h>

#include <cmath>

#include "tests/elasticity/samples.h"

namespace dashpot {
namespace {

template <class Model>
class Density : public ::testing::Test {};
TYPED_TEST_SUITE(Density, AllMaterials);

double scale_of(const Lame<double>& lame) {
  return 2.0 * lame.mu + 3.0 * lame.lambda;
}

TYPED_TEST(Density, GradientMatchesFiniteDifferences) {
  RandomStates random(11);
  constexpr double kStep = 1e-5;
  for (int trial = 0; trial < 500; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Stretches<double> s = random.stretches();
      const Stretches<double> gradient = TypeParam::gradient(s, lame);
      for (int i = 0; i < 3; ++i) {
        Stretches<double> plus = s, minus = s;
        plus[i] += kStep;
        minus[i] -= kStep;
        const double difference =
            (TypeParam::value(plus, lame) - TypeParam::value(minus, lame)) / (2.0 * kStep);
        // Third derivatives reach 1e4 of the scale where the logarithm's extension is steep.
        ASSERT_NEAR(gradient[i], difference, 1e-6 * scale_of(lame));
      }
    }
}

TYPED_TEST(Density, HessianMatchesFiniteDifferences) {
  RandomStates random(12);
  constexpr double kStep = 1e-6;
  for (int trial = 0; trial < 500; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Stretches<double> s = random.stretches();
      const StretchHessian<double> h = TypeParam::hessian(s, lame);
      for (int j = 0; j < 3; ++j) {
        Stretches<double> plus = s, minus = s;
        plus[j] += kStep;
        minus[j] -= kStep;
        const Stretches<double> high = TypeParam::gradient(plus, lame);
        const Stretches<double> low = TypeParam::gradient(minus, lame);
        for (int i = 0; i < 3; ++i) {
          const double analytic =
              h.rank_one * h.direction[i] * h.direction[j] + (i == j ? h.diagonal[i] : 0.0);
          ASSERT_NEAR(analytic, (high[i] - low[i]) / (2.0 * kStep),
                      1e-6 * (scale_of(lame) + std::abs(analytic)));
        }
      }
    }
}

// Across the thresholds where a density changes its formula.
TYPED_TEST(Density, ValueGradientAndHessianAreContinuous) {
  constexpr double kStep = 1e-11;
  for (const double threshold : {NeoHookean::kThreshold, Stvk::kQuadratic, Stvk::kLinear, 0.0})
    for (const Lame<double>& lame : sample_materials()) {
      const Stretches<double> below = {1.3, 0.9, threshold - kStep};
      const Stretches<double> above = {1.3, 0.9, threshold + kStep};
      const double tolerance = 1e-7 * scale_of(lame);
      EXPECT_NEAR(TypeParam::value(below, lame), TypeParam::value(above, lame), tolerance);
      const Stretches<double> g0 = TypeParam::gradient(below, lame);
      const Stretches<double> g1 = TypeParam::gradient(above, lame);
      const StretchHessian<double> h0 = TypeParam::hessian(below, lame);
      const StretchHessian<double> h1 = TypeParam::hessian(above, lame);
      EXPECT_EQ(h0.rank_one, h1.rank_one);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(g0[i], g1[i], tolerance);
        EXPECT_NEAR(h0.diagonal[i], h1.diagonal[i], tolerance);
        EXPECT_NEAR(h0.direction[i], h1.direction[i], 1e-7);
      }
    }
}

TYPED_TEST(Density, RestStateIsStressFreeWithZeroEnergy) {
  for (const Lame<double>& lame : sample_materials()) {
    const Stretches<double> rest = {1.0, 1.0, 1.0};
    EXPECT_EQ(TypeParam::value(rest, lame), 0.0);
    for (const double g : TypeParam::gradient(rest, lame)) EXPECT_EQ(g, 0.0);
  }
}

TYPED_TEST(Density, EnergyIsPositiveAwayFromRest) {
  RandomStates random(13);
  for (int trial = 0; trial < 2000; ++trial)
    for (const Lame<double>& lame : sample_materials())
      ASSERT_GT(TypeParam::value(random.stretches(), lame), 0.0);
}

TYPED_TEST(Density, CollapsedElementIsPushedOutwardsInEveryDirection) {
  for (const Lame<double>& lame : sample_materials()) {
    const Stretches<double> collapsed = {0.0, 0.0, 0.0};
    for (const double g : TypeParam::gradient(collapsed, lame)) EXPECT_LT(g, -0.1 * lame.mu);
  }
}

TYPED_TEST(Density, InvertedStretchIsPushedBackHoweverFar) {
  for (const Lame<double>& lame : sample_materials())
    for (double s = -3.0; s <= 0.0; s += 0.125) {
      const Stretches<double> inverted = {1.0, 1.0, s};
      EXPECT_LT(TypeParam::gradient(inverted, lame)[2], -0.1 * lame.mu) << s;
    }
}

TYPED_TEST(Density, SmallStrainsAreLinearElastic) {
  // Arap ignores lambda by definition.
  const bool has_lambda = MaterialName<TypeParam>::kValue != Material::kArap;
  for (const Lame<double>& lame : sample_materials()) {
    const StretchHessian<double> h = TypeParam::hessian({1.0, 1.0, 1.0}, lame);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const double entry =
            h.rank_one * h.direction[i] * h.direction[j] + (i == j ? h.diagonal[i] : 0.0);
        const double expected = (i == j ? 2.0 * lame.mu : 0.0) + (has_lambda ? lame.lambda : 0.0);
        EXPECT_NEAR(entry, expected, 1e-13 * scale_of(lame));
      }
  }
}

TYPED_TEST(Density, EachLaneHasTheBitsOfItsElementAlone) {
  RandomStates random(14);
  const Lame<double> lame = lame_parameters(3e5, 0.42);
  const Lame<Lane> lane_lame = {broadcast<Lane>(lame.mu), broadcast<Lane>(lame.lambda)};
  for (int trial = 0; trial < 2000; ++trial) {
    std::array<Stretches<double>, kLanes> elements;
    for (Stretches<double>& element : elements) element = random.stretches();
    Stretches<Lane> s;
    for (int i = 0; i < 3; ++i) s[i] = make_lane([&](int lane) { return elements[lane][i]; });
    const Lane value = TypeParam::value(s, lane_lame);
    const Stretches<Lane> gradient = TypeParam::gradient(s, lane_lame);
    const StretchHessian<Lane> hessian = TypeParam::hessian(s, lane_lame);
    for (int lane = 0; lane < kLanes; ++lane) {
      ASSERT_EQ(value[lane], TypeParam::value(elements[lane], lame));
      const Stretches<double> g = TypeParam::gradient(elements[lane], lame);
      const StretchHessian<double> h = TypeParam::hessian(elements[lane], lame);
      for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(gradient[i][lane], g[i]);
        ASSERT_EQ(hessian.diagonal[i][lane], h.diagonal[i]);
        ASSERT_EQ(hessian.direction[i][lane], h.direction[i]);
      }
    }
  }
}

TEST(NeoHookeanDensity, IsTheTextbookOneAboveTheThreshold) {
  RandomStates random(15);
  for (int trial = 0; trial < 200; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Stretches<double> s = {random.uniform(0.2, 3.0), random.uniform(0.2, 3.0),
                                   random.uniform(0.2, 3.0)};
      const double log_j = std::log(s[0] * s[1] * s[2]);
      const double expected = 0.5 * lame.mu * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3.0) -
                              lame.mu * log_j + 0.5 * lame.lambda * log_j * log_j;
      ASSERT_NEAR(NeoHookean::value(s, lame), expected, 1e-13 * scale_of(lame));
    }
}

TEST(StvkDensity, IsTheTextbookOneAboveTheThreshold) {
  RandomStates random(16);
  for (int trial = 0; trial < 200; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Stretches<double> s = {random.uniform(0.5, 3.0), random.uniform(0.5, 3.0),
                                   random.uniform(0.5, 3.0)};
      double squares = 0.0, trace = 0.0;
      for (const double x : s) {
        const double green = 0.5 * (x * x - 1.0);
        squares += green * green;
        trace += green;
      }
      const double expected = lame.mu * squares + 0.5 * lame.lambda * trace * trace;
      ASSERT_NEAR(Stvk::value(s, lame), expected, 1e-13 * (scale_of(lame) + expected));
    }
}

}  // namespace
}  // namespace dashpot
