#include "solver/elasticity/material.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <limits>

#include "solver/base/error.h"
#include "tests/elasticity/samples.h"

namespace dashpot {
namespace {

class EveryMaterial : public ::testing::TestWithParam<Material> {};
INSTANTIATE_TEST_SUITE_P(Menu, EveryMaterial,
                         ::testing::Values(Material::kCorotated, Material::kNeoHookean,
                                           Material::kStvk, Material::kArap));

Mat3 difference_quotient(Material material, const Mat3& F, Lame<double> lame, double step) {
  return Mat3::NullaryExpr([&](Eigen::Index i, Eigen::Index j) {
    Mat3 plus = F, minus = F;
    plus(i, j) += step;
    minus(i, j) -= step;
    return (energy_density(material, plus, lame) - energy_density(material, minus, lame)) /
           (2.0 * step);
  });
}

TEST_P(EveryMaterial, StressIsTheDerivativeOfTheEnergy) {
  RandomStates random(21);
  for (int trial = 0; trial < 300; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Mat3 F = random.deformation();
      const Mat3 expected = difference_quotient(GetParam(), F, lame, 1e-5);
      ASSERT_LE((first_piola(GetParam(), F, lame) - expected).norm(),
                1e-6 * (2.0 * lame.mu + 3.0 * lame.lambda))
          << F;
    }
}

TEST_P(EveryMaterial, EnergyIgnoresRotationsOnBothSides) {
  RandomStates random(22);
  for (int trial = 0; trial < 300; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Mat3 F = random.deformation(), left = random.rotation(), right = random.rotation();
      const double energy = energy_density(GetParam(), F, lame);
      ASSERT_NEAR(energy_density(GetParam(), left * F * right, lame), energy, 1e-11 * energy);
    }
}

TEST_P(EveryMaterial, StressTurnsWithTheElement) {
  RandomStates random(23);
  for (int trial = 0; trial < 300; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const Mat3 F = random.deformation(), left = random.rotation();
      const Mat3 stress = first_piola(GetParam(), F, lame);
      ASSERT_LE((first_piola(GetParam(), left * F, lame) - left * stress).norm(),
                1e-11 * stress.norm());
    }
}

TEST_P(EveryMaterial, RotatedRestStateIsStressFree) {
  RandomStates random(24);
  for (int trial = 0; trial < 300; ++trial)
    for (const Lame<double>& lame : sample_materials()) {
      const double scale = 2.0 * lame.mu + 3.0 * lame.lambda;
      const Mat3 R = random.rotation();
      ASSERT_NEAR(energy_density(GetParam(), R, lame), 0.0, 1e-14 * scale);
      ASSERT_LE(first_piola(GetParam(), R, lame).norm(), 1e-13 * scale);
    }
}

TEST_P(EveryMaterial, CurvatureIsTheLargestEigenvalueAtRest) {
  constexpr double kStep = 1e-6;
  for (const Lame<double>& lame : sample_materials()) {
    Eigen::Matrix<double, 9, 9> hessian;
    for (int column = 0; column < 9; ++column) {
      Mat3 plus = Mat3::Identity(), minus = Mat3::Identity();
      plus(column) += kStep;
      minus(column) -= kStep;
      const Mat3 derivative =
          (first_piola(GetParam(), plus, lame) - first_piola(GetParam(), minus, lame)) /
          (2.0 * kStep);
      hessian.col(column) = derivative.reshaped();
    }
    const double largest =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 9, 9>>(hessian).eigenvalues()[8];
    EXPECT_NEAR(curvature(GetParam(), lame.mu, lame.lambda), largest, 1e-8 * largest);
  }
}

TEST_P(EveryMaterial, StressIsFiniteForDegenerateElements) {
  const Lame<double> lame = lame_parameters(1e5, 0.45);
  Mat3 line = Mat3::Zero(), plane = Mat3::Identity();
  line(0, 2) = 3.0;
  plane(1, 1) = 0.0;
  for (const Mat3& F : {Mat3(Mat3::Zero()), line, plane, Mat3(-Mat3::Identity())}) {
    EXPECT_TRUE(first_piola(GetParam(), F, lame).allFinite()) << F;
    EXPECT_TRUE(std::isfinite(energy_density(GetParam(), F, lame))) << F;
    EXPECT_GT(energy_density(GetParam(), F, lame), 0.0) << F;
  }
}

TEST(LameParameters, AreThoseOfATensileTest) {
  const double youngs_modulus = 2e5, poisson_ratio = 0.3;
  const Lame<double> lame = lame_parameters(youngs_modulus, poisson_ratio);
  // Uniaxial stress: strain (1, -nu, -nu) carries no stress sideways and E lengthwise.
  const double trace = 1.0 - 2.0 * poisson_ratio;
  EXPECT_NEAR(2.0 * lame.mu + lame.lambda * trace, youngs_modulus, 1e-9 * youngs_modulus);
  EXPECT_NEAR(-2.0 * lame.mu * poisson_ratio + lame.lambda * trace, 0.0, 1e-9 * youngs_modulus);
}

TEST(LameParameters, RefuseWhatHasNoMeaning) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()})
    EXPECT_THROW(lame_parameters(bad, 0.3), InputError) << bad;
  for (const double bad : {-0.1, 0.5, 0.7, nan})
    EXPECT_THROW(lame_parameters(1e5, bad), InputError) << bad;
  EXPECT_NO_THROW(lame_parameters(1e5, 0.0));
  EXPECT_NO_THROW(lame_parameters(1e5, 0.4999));
}

}  // namespace
}  // namespace dashpot
