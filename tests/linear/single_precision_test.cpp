#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <string>

#include "tests/linear/sparse_samples.h"

namespace dashpot {
namespace {

SparseCholesky factored_in_single_precision(const SparseMatrix& lower) {
  SparseCholesky cholesky;
  cholesky.analyze(lower);
  cholesky.factorize(lower, FactorPrecision::kSingle);
  return cholesky;
}

TEST(SinglePrecisionFactor, IsRightToItsPrecisionAndHalfAsLarge) {
  const int sizes[][3] = {{2, 2, 2}, {3, 4, 5}, {9, 9, 9}, {40, 7, 7}, {16, 16, 16}, {20, 20, 20}};
  for (const auto& [nx, ny, nz] : sizes) {
    SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz));
    const SparseMatrix lower = grid_laplacian(nx, ny, nz, 1.0);
    const SparseCholesky single = factored_in_single_precision(lower);
    const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
    const Eigen::MatrixXd reference = solve(factored(lower), b);
    EXPECT_LE((solve(single, b) - reference).norm(), 1e-6 * reference.norm());
    if (nx == 20) {
      EXPECT_LT(single.bytes(), 0.6 * factored(lower).bytes());
    }
  }
  for (int n = 1; n <= 70; ++n) {
    SCOPED_TRACE(n);
    const SparseMatrix lower = random_spd(n, 2 * n, static_cast<unsigned>(n));
    const Eigen::MatrixXd b = random_right_hand_side(n);
    const Eigen::MatrixXd reference = solve(factored(lower), b);
    EXPECT_LE((solve(factored_in_single_precision(lower), b) - reference).norm(),
              1e-5 * reference.norm());
  }
}

TEST(SinglePrecisionFactor, CorrectingWithItReachesDoublePrecision) {
  const SparseMatrix lower = grid_laplacian(16, 16, 16);
  const SparseMatrix matrix = lower.selfadjointView<Eigen::Lower>();
  const SparseCholesky single = factored_in_single_precision(lower);
  const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
  Eigen::MatrixXd x = Eigen::MatrixXd::Zero(b.rows(), 3);
  for (int step = 0; step < 4; ++step) x += solve(single, b - matrix * x);
  const Eigen::MatrixXd reference = solve(factored(lower), b);
  EXPECT_LE((x - reference).norm(), 1e-12 * reference.norm());
}

TEST(SinglePrecisionFactor, IsBitwiseTheSameForAnyNumberOfThreads) {
  const SparseMatrix lower = grid_laplacian(20, 20, 20);
  const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
  Eigen::MatrixXd reference;
  for (const int threads : {1, 2, 4}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    tbb::task_arena arena(threads);
    arena.execute([&] {
      const Eigen::MatrixXd x = solve(factored_in_single_precision(lower), b);
      if (reference.size() == 0) reference = x;
      EXPECT_TRUE(same_bits(x, reference)) << threads << " threads";
    });
  }
}

TEST(SinglePrecisionFactor, PrecisionMayChangeFromFactorToFactor) {
  const SparseMatrix lower = grid_laplacian(9, 9, 9);
  const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
  SparseCholesky cholesky = factored(lower);
  const Eigen::MatrixXd x = solve(cholesky, b);
  cholesky.factorize(lower, FactorPrecision::kSingle);
  EXPECT_FALSE(same_bits(solve(cholesky, b), x));
  cholesky.factorize(lower);
  EXPECT_TRUE(same_bits(solve(cholesky, b), x));
}

}  // namespace
}  // namespace dashpot
