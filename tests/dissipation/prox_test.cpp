#include <gtest/gtest.h>

#include <vector>

#include "solver/dissipation/damping.h"
#include "solver/dissipation/stretch_hold.h"
#include "solver/elasticity/corotated.h"
#include "tests/dissipation/damped_samples.h"

namespace dashpot {
namespace {

constexpr double kH = 0.01;  // s
constexpr double kExponents[] = {0.0, 0.5, 1.0, 2.0};

struct Sample {
  Mat3 p, past_F;
  DampedElement<double> element;
  Damping damping;
};

// A stage that began near p: with viscosity * rate of the order of the elastic stress.
Sample make_sample(DampingModel model, double exponent, Shape shape, RandomShapes& random,
                   bool conserve = false) {
  Sample sample;
  const Lame<double> lame = lame_parameters(2.5, 0.3);
  sample.past_F = random.shape(shape);
  const Mat3 turn = Eigen::AngleAxisd(0.3 * random.normal(), Vec3(1, 2, 3).normalized()).matrix();
  sample.p = turn * (sample.past_F + random.noise(0.12));
  Damping& d = sample.damping;
  d.model = model;
  d.shear = 0.02 * random.uniform(0.5, 2);
  d.bulk = 0.01 * random.uniform(0.5, 2);
  d.time = 0.02 * random.uniform(0.5, 2);
  d.strength = 0.02 * random.uniform(0.5, 2);
  d.exponent = exponent;
  d.reference = random.uniform(3, 12);
  DampedElement<double>& e = sample.element;
  e.lame = lame;
  e.k = random.uniform(1.5, 6);
  e.inverse_h = 1 / kH;
  const double unit = unit_dissipation(d, Material::kCorotated, lame);
  e.law = {exponent, unit * d.reference * d.reference, unit};
  switch (model) {
    case DampingModel::kStrainRate:
      e.coefficients = {d.shear, d.bulk};
      e.past = to_matrix3(green_strain(sample.past_F));
      break;
    case DampingModel::kStretchRate:
      e.coefficients = {d.strength, 0};
      e.past = to_matrix3(Polar(sample.past_F).stretch);
      break;
    case DampingModel::kPrincipalStrain:
      e.coefficients = {d.time, 0};
      e.past = to_matrix3(Polar(sample.past_F).stretch);
      break;
    default:
      e.coefficients = {d.time, conserve ? 1.0 : 0.0};
      e.past = to_matrix3(sample.past_F);
  }
  return sample;
}

// R of the linear form of the models that are functions of a rate alone.
double quadratic_dissipation(const Sample& sample, const Mat3& F) {
  const Mat3 past = to_eigen(sample.element.past);
  if (sample.damping.model == DampingModel::kStrainRate) {
    const Mat3 rate = (green_strain(F) - past) / kH;
    return sample.damping.shear * rate.squaredNorm() +
           0.5 * sample.damping.bulk * rate.trace() * rate.trace();
  }
  const Mat3 rate = (Polar(F).stretch - past) / kH;
  return sample.damping.strength * rate.squaredNorm();
}

double quadratic_pull(const Sample& sample, const Mat3& F) {
  return 0.5 * sample.element.k * (F - sample.p).squaredNorm();
}

constexpr ProxAccuracy kExact{1e-12, 200, 0};

template <class Elastic, class Model>
Mat3 exact_prox(const Sample& sample) {
  const Matrix3<double> p = to_matrix3(sample.p);
  const DampingCurvature c =
      damping_curvature(sample.damping, Material::kCorotated, sample.element.lame);
  Matrix3<double> start = first_guess<Elastic, Model>(sample.element, p, c.stiffest), held;
  if constexpr (std::is_same_v<Model, StretchRate>)
    if (sample.damping.exponent < 1 && hold_stretch<Elastic>(sample.element, p, held))
      return to_eigen(held);
  return to_eigen(damped_prox<Elastic, Model>(sample.element, p, start, true, kExact));
}

template <class Elastic, class Model>
void expect_global_minimum(Material material, DampingModel model, Shape shape) {
  RandomShapes random(7 + static_cast<int>(shape));
  for (double exponent : kExponents)
    for (int repeat = 0; repeat < 6; ++repeat) {
      const Sample sample = make_sample(model, exponent, shape, random);
      const auto objective = [&](const Mat3& F) {
        return energy_density(material, F, sample.element.lame) + quadratic_pull(sample, F) +
               kH * power_law(quadratic_dissipation(sample, F), exponent,
                              sample.element.law.reference);
      };
      const Mat3 z = exact_prox<Elastic, Model>(sample);
      const double lowest = brute_force_minimum(
          objective, {sample.p, sample.past_F, z, Polar(sample.p).rotation}, random);
      EXPECT_LE(objective(z), lowest + 1e-7 * (1 + std::abs(lowest)))
          << "exponent " << exponent << " repeat " << repeat << " shape "
          << static_cast<int>(shape);
    }
}

class Prox : public testing::TestWithParam<Shape> {};
INSTANTIATE_TEST_SUITE_P(Shapes, Prox, testing::ValuesIn(kAllShapes));

TEST_P(Prox, OfStretchRateIsTheMinimumOverAllNineNumbers) {
  expect_global_minimum<Corotated, StretchRate>(Material::kCorotated, DampingModel::kStretchRate,
                                                GetParam());
  expect_global_minimum<NeoHookean, StretchRate>(Material::kNeoHookean, DampingModel::kStretchRate,
                                                 GetParam());
}

TEST_P(Prox, OfStrainRateIsTheMinimumOverAllNineNumbers) {
  expect_global_minimum<Corotated, StrainRate>(Material::kCorotated, DampingModel::kStrainRate,
                                               GetParam());
  expect_global_minimum<NeoHookean, StrainRate>(Material::kNeoHookean, DampingModel::kStrainRate,
                                                GetParam());
}

// What pulls F in a stage is what the pull towards p balances, but where the minimum is at a kink,
// as principalstrain has them.
template <class Elastic, class Model>
void expect_balance(DampingModel model, Shape shape) {
  RandomShapes random(11 + static_cast<int>(shape));
  for (double exponent : {1.0, 2.0})
    for (int repeat = 0; repeat < 6; ++repeat) {
      const Sample sample = make_sample(model, exponent, shape, random);
      const Mat3 z = exact_prox<Elastic, Model>(sample);
      const Mat3 stress =
          to_eigen(stage_stress<Elastic, Model>(sample.element, make_frame(to_matrix3(z))));
      const Mat3 pull = sample.element.k * (sample.p - z);
      EXPECT_LT((stress - pull).norm(), 1e-8 * (1 + pull.norm())) << exponent << " " << repeat;
    }
}

TEST_P(Prox, BalancesTheStressOfTheStage) {
  expect_balance<Corotated, StretchRate>(DampingModel::kStretchRate, GetParam());
  expect_balance<NeoHookean, StrainRate>(DampingModel::kStrainRate, GetParam());
  expect_balance<NeoHookean, Rayleigh>(DampingModel::kRayleigh, GetParam());
}

// Models in proportion to stiffness take it at the solution: the prox must be the minimum for the
// stiffness that it ends with.
template <class Model>
void expect_minimum_with_own_stiffness(DampingModel model, bool conserve, Shape shape) {
  using Vec9 = Eigen::Matrix<double, 9, 1>;
  RandomShapes random(17 + static_cast<int>(shape));
  int compared = 0;
  for (double exponent : {1.0, 2.0})
    for (int repeat = 0; repeat < 6; ++repeat) {
      Sample sample = make_sample(model, exponent, shape, random, conserve);
      // As the solver's weights do, k outweighs the concavity of a squeezed tet.
      if (shape == Shape::kCompressed || shape == Shape::kInverted) sample.element.k += 25;
      LaggedForm<double> lag;
      if constexpr (Model::kLagged) {
        const PrincipalFrame<double> f = make_frame(sample.element.past);
        lag = {f.u, f.v, Model::stiffness(elastic_form<Corotated>(f.s, sample.element.lame)), 1.0};
        sample.element.lagged = &lag;
      }
      const Mat3 z = exact_prox<Corotated, Model>(sample);
      const PrincipalFrame<double> f = make_frame(to_matrix3(z));
      const ElasticForm<double> elastic = elastic_form<Corotated>(f.s, sample.element.lame);
      // Near the kink s_2 = -s_3 turning is concave beyond any weight: stationary, but no minimum.
      if (elastic.turn[2] < -sample.element.k) continue;
      ++compared;
      Eigen::Matrix<double, 9, 9> viscosity;
      for (int k = 0; k < 9; ++k) {
        Mat3 unit = Mat3::Zero();
        unit(k) = 1;
        const Matrix3<double> rate = into_frame(f.u, to_matrix3(unit), f.v);
        RateEvaluation<double> at;
        if constexpr (Model::kLagged)
          at = Model::evaluate_lagged(f, elastic, lag, sample.element.coefficients, rate);
        else
          at = Model::evaluate(f, elastic, sample.element.coefficients, rate);
        const Mat3 stress = to_eigen(out_of_frame(f.u, at.stress, f.v));
        viscosity.col(k) = Eigen::Map<const Vec9>(stress.data());
      }
      const auto objective = [&](const Mat3& F) {
        const Mat3 rate = (F - sample.past_F) / kH;
        const Vec9 r = Eigen::Map<const Vec9>(rate.data());
        return energy_density(Material::kCorotated, F, sample.element.lame) +
               quadratic_pull(sample, F) +
               kH * power_law(0.5 * r.dot(viscosity * r), exponent, sample.element.law.reference);
      };
      // An inverted tet has several minima, and only the nearest can be asked for.
      const double away = shape == Shape::kInverted ? 0.001 : 0.02;
      const Mat3 lowest = minimise(objective, z + random.noise(away));
      EXPECT_LE(objective(z), objective(lowest) + 1e-7 * (1 + std::abs(objective(lowest))))
          << "exponent " << exponent << " repeat " << repeat;
    }
  EXPECT_GE(compared, 8);
}

TEST_P(Prox, OfRayleighIsTheMinimumForItsOwnStiffness) {
  expect_minimum_with_own_stiffness<Rayleigh>(DampingModel::kRayleigh, false, GetParam());
  expect_minimum_with_own_stiffness<Rayleigh>(DampingModel::kRayleigh, true, GetParam());
}

TEST_P(Prox, OfLaggedRayleighIsTheMinimumForTheStiffnessOfTheStart) {
  expect_minimum_with_own_stiffness<RayleighLagged>(DampingModel::kRayleighLagged, false,
                                                    GetParam());
  expect_minimum_with_own_stiffness<RayleighLagged>(DampingModel::kRayleighLagged, true,
                                                    GetParam());
}

// With p and the past along the same axes nothing turns, and the model is a function of the
// stretches alone.
TEST_P(Prox, OfPrincipalStrainIsTheMinimumOverAllNineNumbersWhenTheAxesStay) {
  RandomShapes random(29 + static_cast<int>(GetParam()));
  for (double exponent : {1.0, 2.0})
    for (int repeat = 0; repeat < 6; ++repeat) {
      Sample sample = make_sample(DampingModel::kPrincipalStrain, exponent, GetParam(), random);
      sample.element.coefficients.second = kH;
      const PrincipalFrame<double> f = make_frame(to_matrix3(sample.past_F));
      const Mat3 u = to_eigen(f.u), v = to_eigen(f.v);
      const Vec3 past(f.s[0], f.s[1], f.s[2]);
      const Vec3 pulled = past + Vec3(0.02, -0.015, 0.01);
      sample.p = u * pulled.asDiagonal() * v.transpose();
      const Lame<double> lame = sample.element.lame;
      Mat3 k = lame.lambda * Mat3::Ones();
      k.diagonal().array() += 2 * lame.mu;
      const auto objective = [&](const Mat3& F) {
        const Stretches<double> s = signed_stretches(F);
        const Vec3 rate = (Vec3(s[0], s[1], s[2]) - past) / kH;
        return energy_density(Material::kCorotated, s, lame) + quadratic_pull(sample, F) +
               kH * power_law(0.5 * sample.damping.time * rate.dot(k * rate), exponent,
                              sample.element.law.reference);
      };
      const Mat3 z = exact_prox<Corotated, PrincipalStrain>(sample);
      const double lowest = brute_force_minimum(objective, {z, sample.past_F}, random);
      EXPECT_LE(objective(z), lowest + 1e-7 * (1 + std::abs(lowest)));
    }
}

// p = 0 is dry: the stretch stays exactly what it was until the pull exceeds 2 beta times the
// reference rate, and then gives way by what exceeds it.
TEST(DryStretch, HoldsExactlyUpToTheThreshold) {
  DampedElement<double> e;
  e.lame = {0, 0};  // no elasticity: a soft threshold
  e.coefficients = {0.5, 0};
  e.law = {0.0, 0.5 * 4.0, 0.5};  // reference rate 2/s
  e.inverse_h = 100;
  e.k = 10;
  const Mat3 past = Vec3(1.2, 1.0, 0.9).asDiagonal();
  e.past = to_matrix3(past);
  const double threshold = 2 * 0.5 * 2 / e.k;
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 1, 0).normalized()).matrix();
  Mat3 direction = Mat3::Zero();
  direction(0, 0) = 1;
  Matrix3<double> held;
  const Mat3 below = turn * (past + 0.99 * threshold * direction);
  ASSERT_TRUE(hold_stretch<Corotated>(e, to_matrix3(below), held));
  EXPECT_LT((to_eigen(held) - turn * past).norm(), 1e-14);
  const Mat3 above = turn * (past + 1.5 * threshold * direction);
  EXPECT_FALSE(hold_stretch<Corotated>(e, to_matrix3(above), held));
  const Mat3 z = to_eigen(
      damped_prox<Corotated, StretchRate>(e, to_matrix3(above), to_matrix3(above), true, kExact));
  EXPECT_LT((z - turn * (past + 0.5 * threshold * direction)).norm(), 1e-7);
}

}  // namespace
}  // namespace dashpot
