#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "solver/elasticity/corotated.h"
#include "tests/dissipation/damped_samples.h"

namespace dashpot {
namespace {

using Mat9 = Eigen::Matrix<double, 9, 9>;
using Vec9 = Eigen::Matrix<double, 9, 1>;

constexpr double kPsi = 0.7, kPhi = 0.4, kBeta = 0.3;
const Lame<double> kLame = lame_parameters(2.5, 0.3);

// The stress that a model exerts at F with the velocity gradient `rate`, in the world.
template <class Model>
Mat3 stress_of(const Mat3& F, const Mat3& rate, const RateCoefficients<double>& c) {
  const PrincipalFrame<double> f = make_frame(to_matrix3(F));
  const auto at = Model::evaluate(f, elastic_form<Corotated>(f.s, kLame), c,
                                  Model::rate_of(f, into_frame(f.u, to_matrix3(rate), f.v)));
  return to_eigen(out_of_frame(f.u, at.stress, f.v));
}

template <class Model>
double dissipation_of(const Mat3& F, const Mat3& rate, const RateCoefficients<double>& c) {
  const PrincipalFrame<double> f = make_frame(to_matrix3(F));
  return Model::evaluate(f, elastic_form<Corotated>(f.s, kLame), c,
                         Model::rate_of(f, into_frame(f.u, to_matrix3(rate), f.v)))
      .dissipation;
}

// d(measure)/dt by central differences along F + t rate.
template <class Measure>
Mat3 rate_by_differences(const Measure& measure, const Mat3& F, const Mat3& rate) {
  constexpr double kStep = 1e-6;
  return (measure(F + kStep * rate) - measure(F - kStep * rate)) / (2 * kStep);
}

// dR/d(rate) by central differences; exact for a quadratic R.
template <class Dissipation>
Mat3 stress_by_differences(const Dissipation& dissipation, const Mat3& rate) {
  Mat3 stress;
  for (int k = 0; k < 9; ++k) {
    Mat3 plus = rate, minus = rate;
    plus(k) += 1e-3;
    minus(k) -= 1e-3;
    stress(k) = (dissipation(plus) - dissipation(minus)) / 2e-3;
  }
  return stress;
}

class RateModels : public testing::TestWithParam<Shape> {
 protected:
  template <class Check>
  void for_samples(const Check& check) {
    RandomShapes random(3 + static_cast<int>(GetParam()));
    for (int repeat = 0; repeat < 20; ++repeat) {
      const Mat3 F = random.shape(GetParam());
      check(F, random.noise(1.0));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Shapes, RateModels, testing::ValuesIn(kAllShapes));

TEST_P(RateModels, StrainRateIsThatOfGreensStrain) {
  for_samples([](const Mat3& F, const Mat3& rate) {
    const auto reference = [&](const Mat3& v) {
      const Mat3 e = rate_by_differences(green_strain, F, v);
      return kPsi * e.squaredNorm() + 0.5 * kPhi * e.trace() * e.trace();
    };
    EXPECT_NEAR(dissipation_of<StrainRate>(F, rate, {kPsi, kPhi}), reference(rate), 1e-6);
    EXPECT_LT(
        (stress_of<StrainRate>(F, rate, {kPsi, kPhi}) - stress_by_differences(reference, rate))
            .norm(),
        1e-5);
  });
}

TEST_P(RateModels, StretchRateIsThatOfThePolarDecomposition) {
  for_samples([](const Mat3& F, const Mat3& rate) {
    const auto stretch = [](const Mat3& at) { return Polar(at).stretch; };
    const auto reference = [&](const Mat3& v) {
      return kBeta * rate_by_differences(stretch, F, v).squaredNorm();
    };
    const double scale = 1 + reference(rate);
    EXPECT_NEAR(dissipation_of<StretchRate>(F, rate, {kBeta, 0}), reference(rate), 1e-6 * scale);
    EXPECT_LT((stress_of<StretchRate>(F, rate, {kBeta, 0}) - stress_by_differences(reference, rate))
                  .norm(),
              1e-5 * scale);
  });
}

TEST_P(RateModels, StretchRateFromThePolarDecompositionIsThatOfTheFrame) {
  if (GetParam() == Shape::kInverted) return;  // it has none
  for_samples([](const Mat3& F, const Mat3& rate) {
    constexpr RateCoefficients<double> c = {kBeta, 0};
    PolarDecomposition<double> polar;
    ASSERT_TRUE(polar_decomposition(to_matrix3(F), 0.1, polar));
    const Matrix3<double> own = stretch_tensor_rate(polar, to_matrix3(rate));
    const double dissipation = dissipation_of<StretchRate>(F, rate, c);
    EXPECT_NEAR(StretchRate::dissipation(c, own), dissipation, 1e-12 * (1 + dissipation));
    const Mat3 stress = stress_of<StretchRate>(F, rate, c);
    EXPECT_LT((to_eigen(StretchRate::stress_at(polar, c, own)) - stress).norm(),
              1e-12 * (1 + stress.norm()));
  });
}

// d2Psi/dF2 by central differences, without its negative eigenvalues.
Mat9 positive_stiffness(const Mat3& F) {
  constexpr double kStep = 1e-6;
  Mat9 k;
  for (int c = 0; c < 9; ++c) {
    Mat3 plus = F, minus = F;
    plus(c) += kStep;
    minus(c) -= kStep;
    const Mat3 column = (first_piola(Material::kCorotated, plus, kLame) -
                         first_piola(Material::kCorotated, minus, kLame)) /
                        (2 * kStep);
    k.col(c) = Eigen::Map<const Vec9>(column.data());
  }
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(Mat9(0.5 * (k + k.transpose())));
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

TEST_P(RateModels, RayleighIsThePositiveStiffnessTimesTheRate) {
  for_samples([](const Mat3& F, const Mat3& rate) {
    const Vec9 v = Eigen::Map<const Vec9>(rate.data());
    const Vec9 stress = kBeta * positive_stiffness(F) * v;
    const Mat3 own = stress_of<Rayleigh>(F, rate, {kBeta, 0});
    EXPECT_LT((Eigen::Map<const Vec9>(own.data()) - stress).norm(), 1e-6 * (1 + stress.norm()));
    EXPECT_NEAR(dissipation_of<Rayleigh>(F, rate, {kBeta, 0}), 0.5 * v.dot(stress), 1e-6);
  });
}

TEST_P(RateModels, LaggedRayleighMixesTheStiffnessThenAndNow) {
  RandomShapes random(61);
  for_samples([&](const Mat3& F, const Mat3& rate) {
    const Mat3 before = F + random.noise(0.05);
    const PrincipalFrame<double> f = make_frame(to_matrix3(F)),
                                 then = make_frame(to_matrix3(before));
    const Vec9 v = Eigen::Map<const Vec9>(rate.data());
    const Vec9 stress_now = kBeta * positive_stiffness(F) * v;
    const Vec9 stress_then = kBeta * positive_stiffness(before) * v;
    for (double share : {1.0, -0.25}) {
      const LaggedForm<double> lag{
          then.u, then.v, Rayleigh::stiffness(elastic_form<Corotated>(then.s, kLame)), share};
      const auto at = RayleighLagged::evaluate_lagged(f, elastic_form<Corotated>(f.s, kLame), lag,
                                                      RateCoefficients<double>{kBeta, 0},
                                                      into_frame(f.u, to_matrix3(rate), f.v));
      const Mat3 own = to_eigen(out_of_frame(f.u, at.stress, f.v));
      const Vec9 expected = stress_now + share * (stress_then - stress_now);
      EXPECT_LT((Eigen::Map<const Vec9>(own.data()) - expected).norm(),
                1e-5 * (1 + expected.norm()));
    }
  });
}

// Brown et al. 2018 (66): the rotations of F are the columns of C.
TEST_P(RateModels, CorrectedRayleighSeesNoRotation) {
  for_samples([](const Mat3& F, const Mat3& rate) {
    Eigen::Matrix<double, 9, 3> rotations;
    for (int axis = 0; axis < 3; ++axis) {
      Mat3 spin;
      for (int c = 0; c < 3; ++c) spin.col(c) = Vec3::Unit(axis).cross(F.col(c).eval());
      rotations.col(axis) = Eigen::Map<const Vec9>(spin.data());
    }
    const Mat9 seen = Mat9::Identity() - rotations * (rotations.transpose() * rotations).inverse() *
                                             rotations.transpose();
    const Vec9 v = Eigen::Map<const Vec9>(rate.data());
    const Vec9 stress = kBeta * seen * positive_stiffness(F) * seen * v;
    const Mat3 own = stress_of<Rayleigh>(F, rate, {kBeta, 1});
    EXPECT_LT((Eigen::Map<const Vec9>(own.data()) - stress).norm(), 1e-6 * (1 + stress.norm()));
  });
}

template <class Model>
void expect_no_torque(const Mat3& F, const Mat3& rate, const RateCoefficients<double>& c) {
  const Mat3 torque = stress_of<Model>(F, rate, c) * F.transpose();
  EXPECT_LT((torque - torque.transpose()).norm(), 1e-12 * (1 + torque.norm()));
}

TEST_P(RateModels, AllButPlainRayleighHaveNoTorque) {
  for_samples([](const Mat3& F, const Mat3& rate) {
    expect_no_torque<StrainRate>(F, rate, {kPsi, kPhi});
    expect_no_torque<StretchRate>(F, rate, {kBeta, 0});
    expect_no_torque<PrincipalStrain>(F, rate, {kBeta, 0.05});
    expect_no_torque<Rayleigh>(F, rate, {kBeta, 1});
    const Mat3 torque = stress_of<Rayleigh>(F, rate, {kBeta, 0}) * F.transpose();
    if (GetParam() == Shape::kStretched) {
      EXPECT_GT((torque - torque.transpose()).norm(), 1e-3);
    }
  });
}

TEST_P(RateModels, NoneGivesEnergyAndNoneSeesRigidRotation) {
  for_samples([](const Mat3& F, const Mat3& rate) {
    EXPECT_GE(dissipation_of<StrainRate>(F, rate, {kPsi, kPhi}), 0);
    EXPECT_GE(dissipation_of<StretchRate>(F, rate, {kBeta, 0}), 0);
    EXPECT_GE(dissipation_of<PrincipalStrain>(F, rate, {kBeta, 0.05}), 0);
    EXPECT_GE(dissipation_of<Rayleigh>(F, rate, {kBeta, 0}), 0);
    EXPECT_GE(dissipation_of<Rayleigh>(F, rate, {kBeta, 1}), 0);
    Mat3 spin;
    for (int c = 0; c < 3; ++c) spin.col(c) = Vec3(1, -2, 0.5).cross(F.col(c).eval());
    EXPECT_LT(dissipation_of<StrainRate>(F, spin, {kPsi, kPhi}), 1e-24);
    EXPECT_LT(dissipation_of<StretchRate>(F, spin, {kBeta, 0}), 1e-24);
    EXPECT_LT(dissipation_of<PrincipalStrain>(F, spin, {kBeta, 0.05}), 1e-24);
    EXPECT_LT(dissipation_of<Rayleigh>(F, spin, {kBeta, 1}), 1e-14);
  });
}

// Pulling along fixed axes: beta K_ss times the rates of the stretches, Brown et al. 2018 (53).
TEST_P(RateModels, PrincipalStrainIsRayleighOfTheStretches) {
  for_samples([](const Mat3& F, const Mat3& /*rate*/) {
    const PrincipalFrame<double> f = make_frame(to_matrix3(F));
    const Vec3 speed(0.3, -0.5, 0.8);
    Mat3 k = kLame.lambda * Mat3::Ones();
    k.diagonal().array() += 2 * kLame.mu;
    const Mat3 u = to_eigen(f.u), v = to_eigen(f.v);
    const Vec3 tension = kBeta * k * speed;
    const Mat3 stress =
        stress_of<PrincipalStrain>(F, u * speed.asDiagonal() * v.transpose(), {kBeta, 0.01});
    EXPECT_LT((stress - u * tension.asDiagonal() * v.transpose()).norm(), 1e-12);
  });
}

}  // namespace
}  // namespace dashpot
