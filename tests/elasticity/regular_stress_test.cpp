#include "solver/elasticity/regular_stress.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "solver/elasticity/material.h"
#include "tests/elasticity/samples.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr Lame<double> kLame = {3e5, 1.4e6};

template <class Model>
class RegularStress : public testing::Test {};
TYPED_TEST_SUITE(RegularStress, AllMaterials);

Mat3 random_matrix(RandomNumbers& random) {
  Mat3 a;
  for (int k = 0; k < 9; ++k) a(k) = random.next();
  return a;
}

Mat3 rotation(RandomNumbers& random) {
  return Eigen::Quaterniond(random.next(), random.next(), random.next(), random.next())
      .normalized()
      .matrix();
}

TYPED_TEST(RegularStress, IsTheDerivativeOfTheEnergyWhereItSaysSo) {
  RandomNumbers random(3);
  int regular = 0;
  Matrix3<double> axes = identity3<double>();
  for (int k = 0; k < 500; ++k) {
    const Mat3 F = rotation(random) * (Mat3::Identity() + 0.3 * random_matrix(random));
    Matrix3<double> stress;
    if (!regular_stress<TypeParam>(to_matrix3(F), kLame, axes, stress)) continue;
    ++regular;
    const Mat3 expected = first_piola(MaterialName<TypeParam>::kValue, F, kLame);
    ASSERT_LT((to_eigen(stress) - expected).norm(), 1e-9 * (kLame.lambda + expected.norm())) << F;
  }
  EXPECT_GT(regular, 250);
}

TYPED_TEST(RegularStress, FromThePolarDecompositionIsTheSame) {
  if constexpr (kHasPolarStress<TypeParam>) {
    RandomNumbers random(4);
    int regular = 0;
    for (int k = 0; k < 500; ++k) {
      const Mat3 F = rotation(random) * (Mat3::Identity() + 0.3 * random_matrix(random));
      PolarDecomposition<double> polar;
      Matrix3<double> stress;
      if (!regular_polar_stress<TypeParam>(to_matrix3(F), kLame, polar, stress)) continue;
      ++regular;
      const Mat3 expected = first_piola(MaterialName<TypeParam>::kValue, F, kLame);
      ASSERT_LT((to_eigen(stress) - expected).norm(), 1e-9 * (kLame.lambda + expected.norm())) << F;
    }
    EXPECT_GT(regular, 250);
  }
}

TYPED_TEST(RegularStress, IsRegularAtRestAndNotInAFlatOrInvertedElement) {
  Matrix3<double> axes = identity3<double>(), stress;
  const auto is_regular = [&](const Vec3& s) {
    return regular_stress<TypeParam>(to_matrix3(s.asDiagonal()), kLame, axes, stress);
  };
  EXPECT_TRUE(is_regular({1, 1, 1}));
  EXPECT_TRUE(is_regular({1.4, 0.8, 0.9}));
  EXPECT_FALSE(is_regular({1, 1, 0.05}));
  EXPECT_FALSE(is_regular({1, 1, 0}));
  EXPECT_FALSE(is_regular({1, 0.9, -0.8}));
  EXPECT_FALSE(is_regular({0, 0, 0}));
}

// Below it the energy is another one (neohookean, stvk).
TYPED_TEST(RegularStress, IsNeverTakenBelowTheSmallestRegularStretch) {
  RandomNumbers random(5);
  Matrix3<double> axes = identity3<double>(), stress;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 s(1 + 0.9 * random.next(), 0.6 + 0.59 * random.next(), 0.4 + 0.6 * random.next());
    const Mat3 F = rotation(random) * s.asDiagonal() * rotation(random).transpose();
    if (regular_stress<TypeParam>(to_matrix3(F), kLame, axes, stress)) {
      EXPECT_GT(s.minCoeff(), regular_stretch<TypeParam>() - 1e-12);
    }
  }
}

}  // namespace
}  // namespace dashpot
