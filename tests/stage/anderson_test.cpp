#include "solver/stage/anderson.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

using Eigen::VectorXd;

constexpr int kSize = 12;

VectorXd random_vector(RandomNumbers& random) {
  VectorXd v(kSize);
  for (double& entry : v) entry = random.next();
  return v;
}

// Drives Anderson as the solver does, in one range or in two.
class Iteration {
 public:
  explicit Iteration(const VectorXd& start, int split = kSize) : split_(split) {
    anderson_.resize(kSize);
    begin(start);
  }

  void begin(const VectorXd& start) {
    anderson_.restart();
    VectorXd::Map(anderson_.image(anderson_.current()), kSize) = start;
    VectorXd::Map(anderson_.residual(anderson_.current()), kSize).setZero();
  }

  VectorXd next() {
    anderson_.next_iterate(0, split_);
    anderson_.next_iterate(split_, kSize);
    return p_ = VectorXd::Map(anderson_.iterate(), kSize);
  }

  void answer(const VectorXd& residual) {
    const int slot = anderson_.begin_iterate();
    VectorXd::Map(anderson_.residual(slot), kSize) = residual;
    auto dots = anderson_.record(0, split_);
    const auto rest = anderson_.record(split_, kSize);
    for (int i = 0; i < kSize; ++i)
      EXPECT_NEAR(anderson_.iterate_before(i), p_[i], 1e-14 * (1 + residual.norm()));
    for (int j = 0; j < Anderson::kSlots; ++j) dots[j] += rest[j];
    anderson_.end_iterate(dots);
  }

 private:
  Anderson anderson_;
  VectorXd p_ = VectorXd::Zero(kSize);
  int split_;
};

// p -> p + r(p) with r(p) = -B (p - solution), B symmetric with the given eigenvalues, repeated.
struct LinearMap {
  Eigen::MatrixXd b;
  VectorXd solution;

  LinearMap(const std::vector<double>& eigenvalues, RandomNumbers& random) {
    Eigen::MatrixXd basis(kSize, kSize);
    for (int c = 0; c < kSize; ++c) basis.col(c) = random_vector(random);
    const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(basis).householderQ();
    VectorXd spectrum(kSize);
    for (int i = 0; i < kSize; ++i) spectrum[i] = eigenvalues[i % eigenvalues.size()];
    b = q * spectrum.asDiagonal() * q.transpose();
    solution = random_vector(random);
  }
  VectorXd residual(const VectorXd& p) const { return -b * (p - solution); }
};

TEST(Anderson, StartsFromTheGivenPointAndThenItsImage) {
  RandomNumbers random(1);
  const VectorXd start = random_vector(random), residual = random_vector(random);
  Iteration iteration(start);
  EXPECT_EQ(iteration.next(), start);
  iteration.answer(residual);
  EXPECT_EQ(iteration.next(), start + residual);
}

// With as many distinct eigenvalues as it remembers residuals it is GMRES, which then is done, up
// to the regularisation of its normal equations.
TEST(Anderson, SolvesALinearFixedPointInOneStepPerEigenvalue) {
  RandomNumbers random(2);
  for (const auto& eigenvalues : {std::vector<double>{0.1}, {0.1, 0.9}, {0.1, 0.5, 0.9}}) {
    const LinearMap map(eigenvalues, random);
    const VectorXd start = random_vector(random);
    Iteration iteration(start);
    VectorXd p;
    for (std::size_t k = 0; k <= eigenvalues.size(); ++k) {
      p = iteration.next();
      EXPECT_GT((p - map.solution).norm(), 1e-3);  // not done before its time
      iteration.answer(map.residual(p));
    }
    EXPECT_LT((iteration.next() - map.solution).norm(), 1e-6 * (start - map.solution).norm());
  }
}

TEST(Anderson, AcceleratesALinearMapWithMoreEigenvaluesThanItRemembers) {
  RandomNumbers random(3);
  const LinearMap map({0.02, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2}, random);
  VectorXd plain = random_vector(random);
  Iteration iteration(plain);
  for (int k = 0; k < 40; ++k) {
    iteration.answer(map.residual(iteration.next()));
    plain += map.residual(plain);
  }
  EXPECT_LT((iteration.next() - map.solution).norm(), 0.05 * (plain - map.solution).norm());
}

TEST(Anderson, DoesNotDependOnHowRangesAreCut) {
  RandomNumbers random(4);
  const LinearMap map({0.1, 0.5, 0.7, 0.9}, random);
  const VectorXd start = random_vector(random);
  Iteration whole(start), halves(start, 4);
  for (int k = 0; k < 6; ++k) {
    const VectorXd p = whole.next();
    EXPECT_LT((p - halves.next()).norm(), 1e-11);
    whole.answer(map.residual(p));
    halves.answer(map.residual(p));
  }
}

TEST(Anderson, RefusesAnAcceleratedIterateWhoseResidualMoreThanDoubled) {
  RandomNumbers random(5);
  Iteration iteration(random_vector(random));
  iteration.next();
  iteration.answer(random_vector(random));
  const VectorXd p2 = iteration.next();
  const VectorXd r2 = random_vector(random);
  iteration.answer(r2);
  const VectorXd p3 = iteration.next();
  ASSERT_GT((p3 - (p2 + r2)).norm(), 1e-3);  // it was accelerated
  iteration.answer(2.001 * r2);
  const VectorXd p4 = iteration.next();
  EXPECT_EQ(p4, p2 + r2);  // back to the plain iterate
  const VectorXd r4 = random_vector(random);
  iteration.answer(r4);
  EXPECT_EQ(iteration.next(), p4 + r4);  // with an empty memory
}

TEST(Anderson, AcceptsAResidualThatLessThanDoubled) {
  RandomNumbers random(5);
  Iteration iteration(random_vector(random));
  iteration.next();
  iteration.answer(random_vector(random));
  const VectorXd p2 = iteration.next();
  const VectorXd r2 = random_vector(random);
  iteration.answer(r2);
  iteration.next();
  iteration.answer(1.999 * r2);
  EXPECT_GT((iteration.next() - (p2 + r2)).norm(), 1e-3);
}

// A plain iterate is never refused: there would be nothing to go back to.
TEST(Anderson, ThePlainIterationMayGrow) {
  RandomNumbers random(6);
  const VectorXd start = random_vector(random), r = random_vector(random);
  Iteration iteration(start);
  iteration.next();
  iteration.answer(r);
  const VectorXd p2 = iteration.next();
  iteration.answer(100 * r);
  EXPECT_GT((iteration.next() - p2).norm(), 0);
}

TEST(Anderson, RestartForgetsEverything) {
  RandomNumbers random(7);
  const LinearMap map({0.1, 0.5, 0.9}, random);
  const VectorXd start = random_vector(random);
  Iteration used(random_vector(random)), fresh(start);
  for (int k = 0; k < 5; ++k) used.answer(map.residual(used.next()));
  used.begin(start);
  for (int k = 0; k < 5; ++k) {
    const VectorXd p = fresh.next();
    EXPECT_EQ(used.next(), p);
    fresh.answer(map.residual(p));
    used.answer(map.residual(p));
  }
}

TEST(Anderson, StaysAtAFixedPoint) {
  RandomNumbers random(8);
  const VectorXd start = random_vector(random);
  Iteration iteration(start);
  for (int k = 0; k < 6; ++k) {
    EXPECT_EQ(iteration.next(), start);
    iteration.answer(VectorXd::Zero(kSize));
  }
}

}  // namespace
}  // namespace dashpot
