// What a factorisation shares with its copies, and how it recognises a matrix that it has seen.
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "solver/linear/sparse_cholesky.h"
#include "tests/linear/sparse_samples.h"

namespace dashpot {
namespace {

constexpr auto kDouble = FactorPrecision::kDouble;
constexpr auto kSingle = FactorPrecision::kSingle;

TEST(Reuse, ACopySolvesToTheSameBits) {
  for (const int cells : {6, 20}) {
    const SparseMatrix lower = grid_laplacian(cells, cells, cells);
    const SparseCholesky original = factored(lower), copy = original;
    const Eigen::MatrixXd b = random_right_hand_side(copy.size());
    EXPECT_TRUE(same_bits(solve(copy, b), solve(original, b)));
  }
}

TEST(Reuse, NewValuesInACopyLeaveTheOriginalAlone) {
  const SparseMatrix lower = grid_laplacian(12, 12, 12);
  const SparseMatrix other = grid_laplacian(12, 12, 12, 0.5, 2);
  const SparseCholesky original = factored(lower);
  const Eigen::MatrixXd b = random_right_hand_side(original.size());
  const Eigen::MatrixXd before = solve(original, b);
  SparseCholesky copy = original;
  copy.factorize(other);
  expect_agrees_with_eigen(copy, other);
  EXPECT_TRUE(same_bits(solve(original, b), before));
  EXPECT_TRUE(same_bits(solve(copy, b), solve(factored(other), b)));
  copy.analyze(grid_laplacian(3, 4, 5));
  EXPECT_TRUE(same_bits(solve(original, b), before));
}

TEST(Reuse, CopiesMaySolveAtTheSameTime) {
  const SparseCholesky original = factored(grid_laplacian(20, 20, 20));
  const Eigen::MatrixXd b = random_right_hand_side(original.size());
  const Eigen::MatrixXd expected = solve(original, b);
  constexpr int kCopies = 8;
  std::vector<SparseCholesky> copies(kCopies, original);
  std::vector<Eigen::MatrixXd> solutions(kCopies);
  tbb::parallel_for(0, kCopies, [&](int i) {
    for (int repeat = 0; repeat < 5; ++repeat) solutions[i] = solve(copies[i], b);
  });
  for (const Eigen::MatrixXd& solution : solutions) EXPECT_TRUE(same_bits(solution, expected));
}

TEST(Reuse, APatternIsRecognisedWhateverTheValues) {
  SparseCholesky cholesky;
  cholesky.analyze(grid_laplacian(5, 5, 5));
  EXPECT_TRUE(cholesky.has_pattern(grid_laplacian(5, 5, 5, 3.0, 8)));
  SparseMatrix uncompressed = grid_laplacian(5, 5, 5);
  uncompressed.uncompress();
  EXPECT_TRUE(cholesky.has_pattern(uncompressed));
}

TEST(Reuse, OneEntryElsewhereIsAnotherPattern) {
  const auto matrix = [](int row, int column) {
    return lower_matrix(4, {{0, 0, 1.}, {1, 1, 1.}, {2, 2, 1.}, {3, 3, 1.}, {row, column, 0.1}});
  };
  SparseCholesky cholesky;
  EXPECT_FALSE(cholesky.has_pattern(matrix(2, 1)));
  EXPECT_FALSE(cholesky.has_pattern(SparseMatrix(0, 0)));
  cholesky.analyze(matrix(2, 1));
  EXPECT_TRUE(cholesky.has_pattern(matrix(2, 1)));
  EXPECT_FALSE(cholesky.has_pattern(matrix(3, 1)));  // same counts in all columns
  EXPECT_FALSE(cholesky.has_pattern(matrix(2, 0)));  // same rows in the order of storage
  EXPECT_FALSE(cholesky.has_pattern(matrix(2, 2)));
  EXPECT_FALSE(cholesky.has_pattern(grid_laplacian(4, 4, 4)));
}

TEST(Reuse, AFactorIsThatOfItsValuesToTheLastBit) {
  SparseMatrix lower = grid_laplacian(5, 5, 5);
  lower.coeffRef(1, 0) = 0.0;
  SparseCholesky cholesky;
  cholesky.analyze(lower);
  EXPECT_FALSE(cholesky.is_factor_of(lower, kDouble));
  cholesky.factorize(lower);
  EXPECT_TRUE(cholesky.is_factor_of(lower, kDouble));
  EXPECT_FALSE(cholesky.is_factor_of(lower, kSingle));

  SparseMatrix nudged = lower;
  double& last = nudged.valuePtr()[nudged.nonZeros() - 1];
  last = std::nextafter(last, std::numeric_limits<double>::infinity());
  EXPECT_FALSE(cholesky.is_factor_of(nudged, kDouble));
  SparseMatrix negative_zero = lower;
  negative_zero.coeffRef(1, 0) = -0.0;
  EXPECT_FALSE(cholesky.is_factor_of(negative_zero, kDouble));

  cholesky.factorize(lower, kSingle);
  EXPECT_TRUE(cholesky.is_factor_of(lower, kSingle));
  EXPECT_FALSE(cholesky.is_factor_of(lower, kDouble));
}

TEST(Reuse, EqualValuesInAnotherPatternAreAnotherMatrix) {
  const auto matrix = [](int row) {
    return lower_matrix(3, {{0, 0, 2.}, {1, 1, 2.}, {2, 2, 2.}, {row, 0, 0.5}});
  };
  const SparseCholesky cholesky = factored(matrix(1));
  EXPECT_TRUE(cholesky.is_factor_of(matrix(1), kDouble));
  EXPECT_FALSE(cholesky.is_factor_of(matrix(2), kDouble));
}

TEST(Reuse, AfterAFailureThereIsNoFactor) {
  const SparseMatrix good = grid_laplacian(6, 6, 6);
  SparseMatrix bad = good;
  bad.coeffRef(10, 10) = -1.0;
  SparseCholesky cholesky = factored(good);
  EXPECT_THROW(cholesky.factorize(bad), std::runtime_error);
  EXPECT_FALSE(cholesky.is_factor_of(bad, kDouble));
  EXPECT_FALSE(cholesky.is_factor_of(good, kDouble));
}

}  // namespace
}  // namespace dashpot
