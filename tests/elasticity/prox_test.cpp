#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "tests/elasticity/brute_force.h"
#include "tests/elasticity/samples.h"

namespace dashpot {
namespace {

struct ProxInput {
  Stretches<double> p, start;
  Lame<double> lame;
  double k;
};

template <class Model>
class Prox : public ::testing::Test {
 protected:
  using Shape = std::function<Stretches<double>(RandomStates&)>;

  // Materials from nu = 0 to 0.495, weights from 0.05 to 20 times the curvature, good and bad
  // starts.
  ProxInput random_input(const Shape& shape) {
    ProxInput input;
    const std::array<double, 6> poisson_ratios = {0.0, 0.3, 0.4, 0.45, 0.49, 0.495};
    input.lame = lame_parameters(1.0, poisson_ratios[count_ % 6]);
    input.k = Model::curvature(input.lame.mu, input.lame.lambda) *
              std::exp(random_.uniform(std::log(0.05), std::log(20.0)));
    input.p = shape(random_);
    for (int i = 0; i < 3; ++i) {
      const std::array<double, 4> starts = {1.0, input.p[i], random_.uniform(-2.0, 4.0), 1e6};
      input.start[i] = starts[count_ / 6 % 4];
    }
    ++count_;
    return input;
  }

  void expect_global_minimum(const Shape& shape) {
    for (int trial = 0; trial < 240; ++trial) {
      const ProxInput input = random_input(shape);
      const Stretches<double> s = Model::prox(input.p, input.lame, input.k, input.start);
      const BruteForceProx<Model> brute_force(input.p, input.lame, input.k);
      const double lowest = brute_force.minimum();
      ASSERT_LE(brute_force.objective(s), lowest + 1e-9 * lowest + 1e-15 * input.k)
          << "p " << input.p[0] << ' ' << input.p[1] << ' ' << input.p[2] << ", result " << s[0]
          << ' ' << s[1] << ' ' << s[2] << ", k " << input.k << ", lambda " << input.lame.lambda;
    }
  }

  void expect_stationary(const Shape& shape) {
    for (int trial = 0; trial < 5000; ++trial) {
      const ProxInput input = random_input(shape);
      const Stretches<double> s = Model::prox(input.p, input.lame, input.k, input.start);
      const Stretches<double> g = Model::gradient(s, input.lame);
      double size = 1.0;
      for (int i = 0; i < 3; ++i) size = std::max(size, std::abs(input.p[i]));
      const double stiffness = input.k + Model::curvature(input.lame.mu, input.lame.lambda);
      for (int i = 0; i < 3; ++i)
        ASSERT_LE(std::abs(g[i] + input.k * (s[i] - input.p[i])), 1e-12 * stiffness * size)
            << "p " << input.p[0] << ' ' << input.p[1] << ' ' << input.p[2] << ", k " << input.k;
    }
  }

  RandomStates random_{31};
  int count_ = 0;
};
TYPED_TEST_SUITE(Prox, AllMaterials);

Stretches<double> near_rest(RandomStates& random) {
  return {1.0 + 0.2 * random.normal(), 1.0 + 0.2 * random.normal(), 1.0 + 0.2 * random.normal()};
}
Stretches<double> inverted(RandomStates& random) {
  return {random.uniform(0.2, 2.0), random.uniform(0.2, 1.5), random.uniform(-3.0, 0.0)};
}
Stretches<double> collapsed(RandomStates& random) {
  const double size = random.uniform(0.0, 1.0) < 0.3 ? 0.0 : 0.2;
  return {size * random.normal(), size * random.normal(), size * random.normal()};
}
Stretches<double> extreme(RandomStates& random) {
  return {random.uniform(-3.0, 10.0), random.uniform(-3.0, 10.0), random.uniform(-3.0, 10.0)};
}
// Symmetric inputs, whose minima need not be symmetric.
Stretches<double> equal(RandomStates& random) {
  const double size = random.uniform(-1.0, 10.0);
  return {size, size, size};
}

TYPED_TEST(Prox, FindsTheGlobalMinimumNearRest) {
  this->expect_global_minimum(near_rest);
}
TYPED_TEST(Prox, FindsTheGlobalMinimumForInvertedElements) {
  this->expect_global_minimum(inverted);
}
TYPED_TEST(Prox, FindsTheGlobalMinimumForCollapsedElements) {
  this->expect_global_minimum(collapsed);
}
TYPED_TEST(Prox, FindsTheGlobalMinimumForExtremeStretches) {
  this->expect_global_minimum(extreme);
}
TYPED_TEST(Prox, FindsTheGlobalMinimumForEqualStretches) {
  this->expect_global_minimum(equal);
}

TYPED_TEST(Prox, ResultBalancesStressAndWeight) {
  for (const auto& shape : {near_rest, inverted, collapsed, extreme, equal})
    ASSERT_NO_FATAL_FAILURE(this->expect_stationary(shape));
}

TYPED_TEST(Prox, LeavesTheRestStateAlone) {
  const Stretches<double> rest = {1.0, 1.0, 1.0};
  for (const Lame<double>& lame : sample_materials())
    for (const double s : TypeParam::prox(rest, lame, 2.0, rest)) EXPECT_NEAR(s, 1.0, 1e-15);
}

TYPED_TEST(Prox, StiffWeightReturnsTheInput) {
  const Stretches<double> p = {1.4, 0.9, -0.2};
  for (const Lame<double>& lame : sample_materials()) {
    const Stretches<double> s = TypeParam::prox(p, lame, 1e9, {1.0, 1.0, 1.0});
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(s[i], p[i], 1e-5);
  }
}

TYPED_TEST(Prox, CommutesWithReorderingTheStretches) {
  const Lame<double> lame = lame_parameters(1.0, 0.4);
  const double k = TypeParam::curvature(lame.mu, lame.lambda);
  const Stretches<double> a = TypeParam::prox({1.6, 0.8, -0.1}, lame, k, {1.0, 1.0, 1.0});
  const Stretches<double> b = TypeParam::prox({-0.1, 1.6, 0.8}, lame, k, {1.0, 1.0, 1.0});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[(i + 1) % 3], 1e-13);
}

TYPED_TEST(Prox, ScalesWithTheUnitOfPressure) {
  const Lame<double> soft = lame_parameters(1.0, 0.45), hard = lame_parameters(1e11, 0.45);
  const Stretches<double> p = {1.7, 0.6, -0.4}, start = {1.0, 1.0, 1.0};
  const Stretches<double> a = TypeParam::prox(p, soft, 3.0, start);
  const Stretches<double> b = TypeParam::prox(p, hard, 3e11, start);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TYPED_TEST(Prox, NotANumberInOneLaneEndsAndStaysThere) {
  const Lame<double> lame = lame_parameters(1.0, 0.45);
  const Lame<Lane> lane_lame = {broadcast<Lane>(lame.mu), broadcast<Lane>(lame.lambda)};
  const Stretches<double> clean = {1.2, 0.9, 0.7};
  Stretches<Lane> p;
  for (int i = 0; i < 3; ++i) p[i] = broadcast<Lane>(clean[i]);
  p[1][2] = std::numeric_limits<double>::quiet_NaN();
  const Stretches<Lane> s = TypeParam::prox(p, lane_lame, broadcast<Lane>(2.0), p);
  const Stretches<double> alone = TypeParam::prox(clean, lame, 2.0, clean);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(s[i][0], alone[i]);
}

TYPED_TEST(Prox, EachLaneHasTheBitsOfItsElementAlone) {
  for (int trial = 0; trial < 5000; ++trial) {
    // Lane mates that take very different paths.
    const std::array<ProxInput, kLanes> inputs = {
        this->random_input(near_rest), this->random_input(inverted), this->random_input(extreme),
        this->random_input(equal)};
    Stretches<Lane> p, start;
    for (int i = 0; i < 3; ++i) {
      p[i] = make_lane([&](int lane) { return inputs[lane].p[i]; });
      start[i] = make_lane([&](int lane) { return inputs[lane].start[i]; });
    }
    const Lame<Lane> lame = {make_lane([&](int lane) { return inputs[lane].lame.mu; }),
                             make_lane([&](int lane) { return inputs[lane].lame.lambda; })};
    const Lane k = make_lane([&](int lane) { return inputs[lane].k; });
    const Stretches<Lane> s = TypeParam::prox(p, lame, k, start);
    for (int lane = 0; lane < kLanes; ++lane) {
      const ProxInput& input = inputs[lane];
      const Stretches<double> alone = TypeParam::prox(input.p, input.lame, input.k, input.start);
      for (int i = 0; i < 3; ++i) ASSERT_EQ(s[i][lane], alone[i]);
    }
  }
}

}  // namespace
}  // namespace dashpot
