#include <gtest/gtest.h>

#include <vector>

#include "solver/dissipation/stretch_hold.h"
#include "solver/elasticity/corotated.h"
#include "tests/dissipation/damped_samples.h"

namespace dashpot {
namespace {

constexpr double kStage = 0.01;  // s
constexpr ProxAccuracy kFully{1e-12, 300, 0};
const Lame<double> kRampedLame = lame_parameters(2.5, 0.3);
constexpr PowerLaw<double> kLinear{1, 1, 1};
constexpr RampMode kAllModes[] = {RampMode::kMax, RampMode::kPerStrain, RampMode::kPerRate};

const Ramp& valley() {
  static const Ramp ramp({{0.4, 1.6}, {1.0, 0.2}, {1.8, 2.0}}, "test");
  return ramp;
}
const Ramp& rising() {
  static const Ramp ramp({{0, 0.3}, {2, 1.5}}, "test");
  return ramp;
}
const Ramp& ramp_for(RampMode mode) {
  return mode == RampMode::kPerRate ? rising() : valley();
}

template <class Model>
RateEvaluation<double> evaluate(const PrincipalFrame<double>& f, const Mat3& rate,
                                const RateCoefficients<double>& c, const ElementRamp* ramp) {
  const ElasticForm<double> elastic = elastic_form<Corotated>(f.s, kRampedLame);
  return ramped_evaluation<Model>(
      ramp, kLinear, f, Model::rate_of(f, into_frame(f.u, to_matrix3(rate), f.v)), kStage,
      [&](const Matrix3<double>& r) { return Model::evaluate(f, elastic, c, r); });
}

template <class Model>
void expect_dissipates(const RateCoefficients<double>& c, Shape shape) {
  RandomShapes random(11 + static_cast<int>(shape));
  for (RampMode mode : kAllModes) {
    const ElementRamp ramp{&ramp_for(mode), mode, 1};
    for (int repeat = 0; repeat < 10; ++repeat) {
      const PrincipalFrame<double> f = make_frame(to_matrix3(random.shape(shape)));
      const Mat3 rate = random.noise(1.0);
      const auto at = evaluate<Model>(f, rate, c, &ramp);
      const double power = inner(at.stress, into_frame(f.u, to_matrix3(rate), f.v));
      EXPECT_GE(power, 0);
      EXPECT_NEAR(power, 2 * at.dissipation, 1e-9 * (1 + power));
    }
  }
}

class RampedDamping : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, RampedDamping, testing::ValuesIn(kAllShapes));

TEST_P(RampedDamping, TakesPowerInEveryModeOfEveryModel) {
  expect_dissipates<StrainRate>({0.7, 0.4}, GetParam());
  expect_dissipates<StretchRate>({0.3, 0}, GetParam());
  expect_dissipates<PrincipalStrain>({0.3, kStage}, GetParam());
  expect_dissipates<Rayleigh>({0.3, 0}, GetParam());
  expect_dissipates<Rayleigh>({0.3, 1}, GetParam());
}

// Brown et al. 2018 (57)
TEST_P(RampedDamping, MaxMultipliesByTheLargestValueOverTheStretches) {
  RandomShapes random(23);
  const ElementRamp ramp{&valley(), RampMode::kMax, 1};
  for (int repeat = 0; repeat < 10; ++repeat) {
    const PrincipalFrame<double> f = make_frame(to_matrix3(random.shape(GetParam())));
    const Mat3 rate = random.noise(1.0);
    double largest = 0;
    for (double s : f.s) largest = std::max(largest, valley().lookup(s).value);
    const auto plain = evaluate<StrainRate>(f, rate, {0.7, 0.4}, nullptr);
    const auto ramped = evaluate<StrainRate>(f, rate, {0.7, 0.4}, &ramp);
    EXPECT_NEAR(ramped.dissipation, largest * plain.dissipation, 1e-12 * plain.dissipation);
    for (int k = 0; k < 9; ++k)
      EXPECT_NEAR(ramped.stress.m[k / 3][k % 3], largest * plain.stress.m[k / 3][k % 3], 1e-9);
  }
}

// Brown et al. 2018 section 5.2.2: R = beta/2 r^T S^(1/2) K S^(1/2) r
TEST_P(RampedDamping, PerStrainScalesEachPrincipalStretchByItsOwn) {
  RandomShapes random(31);
  const ElementRamp ramp{&valley(), RampMode::kPerStrain, 1};
  for (int repeat = 0; repeat < 10; ++repeat) {
    const PrincipalFrame<double> f = make_frame(to_matrix3(random.shape(GetParam())));
    const Vec3 r(random.normal(), random.normal(), random.normal());
    const Mat3 rate = to_eigen(f.u) * r.asDiagonal() * to_eigen(f.v).transpose();
    Mat3 k = kRampedLame.lambda * Mat3::Ones();
    k.diagonal().array() += 2 * kRampedLame.mu;
    Vec3 root;
    for (int i = 0; i < 3; ++i) root[i] = std::sqrt(valley().lookup(f.s[i]).value);
    const Vec3 expected = 0.3 * (root.asDiagonal() * k * root.asDiagonal() * r);
    const auto at = evaluate<PrincipalStrain>(f, rate, {0.3, kStage}, &ramp);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(at.stress.m[i][i], expected[i], 1e-9);
    EXPECT_NEAR(at.dissipation, 0.5 * r.dot(expected), 1e-9);
  }
}

TEST(PerRate, UsesTheRateOfEachAxisInUnitsOfTheReference) {
  const PrincipalFrame<double> f =
      make_frame(to_matrix3(Vec3(1.6, 1.2, 0.8).asDiagonal().toDenseMatrix()));
  const Vec3 r(1.5, -0.5, 0.25);
  const ElementRamp ramp{&rising(), RampMode::kPerRate, 0.5};
  const auto at = evaluate<StretchRate>(f, r.asDiagonal().toDenseMatrix(), {0.3, 0}, &ramp);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(at.stress.m[i][i], 0.6 * rising().lookup(0.5 * std::abs(r[i])).value * r[i], 1e-12);
}

// Where stretches are equal their axes are arbitrary; the stress must not depend on the choice.
TEST(PerRate, DoesNotDependOnTheChoiceOfEqualAxes) {
  RandomShapes random(41);
  const ElementRamp ramp{&rising(), RampMode::kPerRate, 1};
  const Mat3 noise = random.noise(1.0), rate = noise + noise.transpose();
  Mat3 first;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Matrix3<double> axes = to_matrix3(random.rotation());
    const PrincipalFrame<double> f{axes, axes, {1.1, 1.1, 1.1}};
    const auto at = evaluate<StretchRate>(f, rate, {0.3, 0}, &ramp);
    const Mat3 stress = to_eigen(out_of_frame(f.u, at.stress, f.v));
    if (repeat == 0) first = stress;
    EXPECT_LT((stress - first).norm(), 1e-9 * first.norm());
  }
}

// The multipliers are those at the solution: the prox is the minimum for what it ends with.
TEST_P(RampedDamping, ProxIsTheMinimumForItsOwnMultipliers) {
  RandomShapes random(53 + static_cast<int>(GetParam()));
  for (RampMode mode : kAllModes)
    for (double exponent : {1.0, 2.0})
      for (int repeat = 0; repeat < 4; ++repeat) {
        const ElementRamp ramp{&ramp_for(mode), mode, 0.2};
        const double strength = 0.02 * random.uniform(0.5, 2);
        const Mat3 past_F = random.shape(GetParam()), past = Polar(past_F).stretch;
        const Mat3 turn = Eigen::AngleAxisd(0.2, Vec3(1, 2, 3).normalized()).matrix();
        const Mat3 p = turn * (past_F + random.noise(0.05));
        DampedElement<double> e;
        e.lame = kRampedLame;
        e.coefficients = {strength, 0};
        e.law = {exponent, strength * 25, strength};
        e.past = to_matrix3(past);
        e.inverse_h = 1 / kStage;
        e.k = GetParam() == Shape::kInverted ? 12 : 4;
        e.ramps = &ramp;
        const Mat3 z = to_eigen(damped_prox<Corotated, StretchRate>(
            e, to_matrix3(p), first_guess<Corotated, StretchRate>(e, to_matrix3(p), 2 * strength),
            true, kFully));
        const PrincipalFrame<double> f = make_frame(to_matrix3(z));
        const AxisScale<double> scale =
            axis_scale(&ramp, e.law, f, StretchRate::stage_rate(f, e.past, e.inverse_h), kStage);
        const Mat3 v = to_eigen(f.v);
        const auto objective = [&](const Mat3& F) {
          const Mat3 rate = v.transpose() * (Polar(F).stretch - past) * v / kStage;
          const Mat3 counted = to_eigen(scaled(scale, to_matrix3(rate)));
          return energy_density(Material::kCorotated, F, kRampedLame) +
                 0.5 * e.k * (F - p).squaredNorm() +
                 kStage * power_law(strength * counted.squaredNorm(), exponent, e.law.reference);
        };
        const Mat3 lowest = minimise(objective, z + random.noise(0.002));
        EXPECT_LE(objective(z), objective(lowest) + 1e-7 * (1 + std::abs(objective(lowest))))
            << "mode " << static_cast<int>(mode) << " exponent " << exponent << " repeat "
            << repeat;
      }
}

// A dry element holds what its multiplier allows.
TEST(DryStretch, HoldsInProportionToItsMultiplier) {
  const Ramp half({{1, 0.5}}, "test");
  const ElementRamp ramp{&half, RampMode::kPerStrain, 1};
  DampedElement<double> e;
  e.lame = {0, 0};
  e.coefficients = {0.5, 0};
  e.law = {0.0, 0.5 * 4.0, 0.5};  // reference rate 2/s
  e.inverse_h = 100;
  e.k = 10;
  e.past = to_matrix3(Mat3::Identity().eval());
  e.ramps = &ramp;
  const double threshold = 0.5 * 2 * 0.5 * 2 / e.k;
  Matrix3<double> held;
  const auto pulled = [&](double by) {
    return to_matrix3(Vec3(1 + by, 1, 1).asDiagonal().toDenseMatrix());
  };
  EXPECT_TRUE(hold_stretch<Corotated>(e, pulled(0.99 * threshold), held));
  EXPECT_FALSE(hold_stretch<Corotated>(e, pulled(1.01 * threshold), held));
}

}  // namespace
}  // namespace dashpot
