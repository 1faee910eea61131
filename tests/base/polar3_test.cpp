#include "solver/base/polar3.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kLeast = 0.1;

Mat3 random_rotation(RandomNumbers& random) {
  return Eigen::Quaterniond(random.next(), random.next(), random.next(), random.next())
      .normalized()
      .matrix();
}

Mat3 with_stretches(RandomNumbers& random, const Vec3& s) {
  return random_rotation(random) * s.asDiagonal() * random_rotation(random).transpose();
}

bool is_decomposed(const Mat3& F) {
  PolarDecomposition<double> polar;
  return polar_decomposition(to_matrix3(F), kLeast, polar);
}

TEST(Polar, IsARotationTimesASymmetricStretch) {
  RandomNumbers random(1);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 s(1 + 0.7 * random.next(), 1 + 0.7 * random.next(), 2 + 1.9 * random.next());
    const Mat3 F = with_stretches(random, s.cwiseAbs());
    PolarDecomposition<double> polar;
    if (!polar_decomposition(to_matrix3(F), kLeast, polar)) continue;
    const Mat3 q = to_eigen(polar.q), stretch = to_eigen(polar.s);
    ASSERT_LT((q.transpose() * q - Mat3::Identity()).norm(), 1e-14);
    ASSERT_GT(q.determinant(), 0);
    ASSERT_LT((q * stretch - F).norm(), 1e-14 * F.norm());
    ASSERT_EQ(stretch, stretch.transpose());
  }
}

TEST(Polar, IsFoundUnlessAnElementIsInvertedOrFlat) {
  RandomNumbers random(2);
  for (int k = 0; k < 200; ++k) {
    EXPECT_TRUE(is_decomposed(with_stretches(random, {1.4, 0.8, 0.9})));
    EXPECT_TRUE(is_decomposed(with_stretches(random, {4, 3, 0.3})));
    EXPECT_FALSE(is_decomposed(with_stretches(random, {1, 0.9, 0.09})));
    EXPECT_FALSE(is_decomposed(with_stretches(random, {1, 0.9, -0.8})));
  }
  EXPECT_FALSE(is_decomposed(Mat3::Zero()));
}

TEST(Polar, OfALaneHasTheBitsOfEachElement) {
  RandomNumbers random(3);
  Mat3 F[kLanes];
  Matrix3<Lane> lanes;
  for (int lane = 0; lane < kLanes; ++lane) {
    F[lane] = with_stretches(random, {1.0 + lane, 0.9, 0.5});
    for (int k = 0; k < 9; ++k) lanes.m[k / 3][k % 3][lane] = F[lane](k / 3, k % 3);
  }
  PolarDecomposition<Lane> together;
  polar_decomposition(lanes, kLeast, together);
  for (int lane = 0; lane < kLanes; ++lane) {
    PolarDecomposition<double> alone;
    polar_decomposition(to_matrix3(F[lane]), kLeast, alone);
    for (int k = 0; k < 9; ++k) {
      EXPECT_EQ(together.q.m[k / 3][k % 3][lane], alone.q.m[k / 3][k % 3]);
      EXPECT_EQ(together.s.m[k / 3][k % 3][lane], alone.s.m[k / 3][k % 3]);
    }
  }
}

TEST(Polar, RateOfTheStretchIsItsDerivative) {
  RandomNumbers random(4);
  constexpr double kStep = 1e-6;
  const auto stretch = [](const Mat3& F) {
    PolarDecomposition<double> polar;
    EXPECT_TRUE(polar_decomposition(to_matrix3(F), kLeast, polar));
    return to_eigen(polar.s);
  };
  for (int k = 0; k < 100; ++k) {
    const Mat3 F = with_stretches(random, {1.3, 0.6, 1 + 0.3 * random.next()});
    Mat3 change;
    for (int i = 0; i < 9; ++i) change(i) = random.next();
    PolarDecomposition<double> polar;
    ASSERT_TRUE(polar_decomposition(to_matrix3(F), kLeast, polar));
    const Mat3 rate = to_eigen(stretch_tensor_rate(polar, to_matrix3(change)));
    const Mat3 difference =
        (stretch(F + kStep * change) - stretch(F - kStep * change)) / (2 * kStep);
    EXPECT_LT((rate - difference).norm(), 1e-8 * (1 + change.norm()));
  }
}

}  // namespace
}  // namespace dashpot
