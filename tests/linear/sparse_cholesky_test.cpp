#include "solver/linear/sparse_cholesky.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "solver/linear/elimination_tree.h"
#include "solver/linear/ordering.h"
#include "solver/linear/symbolic_factor.h"
#include "tests/linear/sparse_samples.h"

namespace dashpot {
namespace {

std::string factorize_error(const SparseMatrix& lower) {
  SparseCholesky cholesky;
  cholesky.analyze(lower);
  try {
    cholesky.factorize(lower);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

// Both orderings (minimum degree, nested dissection) and both solves (sequential, cut tree).
TEST(SparseCholesky, AgreesWithEigenOnGridsOfAllSizes) {
  const int sizes[][3] = {{2, 2, 2},  {3, 4, 5},    {9, 9, 9},   {30, 5, 5},
                          {40, 7, 7}, {16, 16, 16}, {100, 8, 8}, {20, 20, 20}};
  for (const auto& [nx, ny, nz] : sizes) {
    SCOPED_TRACE(std::to_string(nx) + " x " + std::to_string(ny) + " x " + std::to_string(nz));
    const SparseMatrix lower = grid_laplacian(nx, ny, nz);
    expect_agrees_with_eigen(factored(lower), lower);
  }
}

TEST(SparseCholesky, AgreesWithEigenOnRandomMatrices) {
  for (int n = 1; n <= 40; ++n) {
    SCOPED_TRACE(n);
    const SparseMatrix lower = random_spd(n, 2 * n, static_cast<unsigned>(n));
    expect_agrees_with_eigen(factored(lower), lower);
  }
  for (const int n : {200, 1000, 2000, 4000}) {
    SCOPED_TRACE(n);
    const SparseMatrix lower = random_spd(n, n, static_cast<unsigned>(n));
    expect_agrees_with_eigen(factored(lower), lower);
  }
}

TEST(SparseCholesky, SolvesADenseMatrix) {
  for (const int n : {15, 16, 17, 64, 65, 200}) {
    SCOPED_TRACE(n);
    Triplets entries;
    for (int i = 0; i < n; ++i) {
      entries.emplace_back(i, i, 1.0);
      for (int j = 0; j < i; ++j) add_edge(entries, i, j, 1.0 / (1 + i + j));
    }
    const SparseMatrix lower = lower_matrix(n, entries);
    expect_agrees_with_eigen(factored(lower), lower);
  }
}

TEST(SparseCholesky, SolvesAnEmptyMatrix) {
  const SparseCholesky cholesky = factored(SparseMatrix(0, 0));
  cholesky.solve(nullptr);
  EXPECT_EQ(cholesky.size(), 0);
  EXPECT_EQ(cholesky.nonzeros(), 0u);
  EXPECT_TRUE(cholesky.permutation().empty());
}

TEST(SparseCholesky, SolvesASingleRow) {
  const SparseCholesky cholesky = factored(lower_matrix(1, {{0, 0, 4.0}}));
  double b[4] = {4.0, -8.0, 2.0, 0.0};
  cholesky.solve(b);
  EXPECT_DOUBLE_EQ(b[0], 1.0);
  EXPECT_DOUBLE_EQ(b[1], -2.0);
  EXPECT_DOUBLE_EQ(b[2], 0.5);
}

TEST(SparseCholesky, SolvesADiagonalMatrix) {
  for (const int n : {5, 2000, 5000}) {
    Triplets entries;
    for (int i = 0; i < n; ++i) entries.emplace_back(i, i, 1.0 + i % 7);
    const SparseMatrix lower = lower_matrix(n, entries);
    const SparseCholesky cholesky = factored(lower);
    const Eigen::MatrixXd b = random_right_hand_side(n), x = solve(cholesky, b);
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d) EXPECT_NEAR(x(i, d), b(i, d) / (1 + i % 7), 1e-15);
  }
}

SparseMatrix repeated(const SparseMatrix& block, int copies) {
  const int n = static_cast<int>(block.rows());
  Triplets entries;
  for (int copy = 0; copy < copies; ++copy)
    for (int column = 0; column < n; ++column)
      for (SparseMatrix::InnerIterator it(block, column); it; ++it)
        entries.emplace_back(copy * n + it.row(), copy * n + column, it.value());
  return lower_matrix(copies * n, entries);
}

TEST(SparseCholesky, SolvesDisconnectedBodies) {
  const std::pair<SparseMatrix, int> cases[] = {
      {grid_laplacian(5, 5, 5), 3},     // minimum degree, sequential
      {grid_laplacian(5, 5, 5), 16},    // minimum degree, cut
      {grid_laplacian(3, 3, 3), 300},   // nested dissection of many small bodies
      {grid_laplacian(12, 12, 12), 3},  // nested dissection of a few large ones
      {grid_laplacian(2, 1, 1), 4000},
  };
  for (const auto& [body, copies] : cases) {
    SCOPED_TRACE(std::to_string(copies) + " of " + std::to_string(body.rows()) + " rows");
    const SparseMatrix lower = repeated(body, copies);
    expect_agrees_with_eigen(factored(lower), lower);
  }
}

TEST(SparseCholesky, LoosePointsBesideABodyAreSolvedToo) {
  const SparseMatrix body = grid_laplacian(16, 16, 16);
  const int n = static_cast<int>(body.rows()), loose = 500;
  Triplets entries;
  for (int column = 0; column < n; ++column)
    for (SparseMatrix::InnerIterator it(body, column); it; ++it)
      entries.emplace_back(it.row(), column, it.value());
  for (int i = n; i < n + loose; ++i) entries.emplace_back(i, i, 3.0);
  const SparseMatrix lower = lower_matrix(n + loose, entries);
  expect_agrees_with_eigen(factored(lower), lower);
}

TEST(SparseCholesky, FactorizesAgainWithNewValues) {
  for (const int cells : {8, 16}) {
    const SparseMatrix first = grid_laplacian(cells, cells, cells, 0.01, 1);
    const SparseMatrix second = grid_laplacian(cells, cells, cells, 5.0, 2);
    SparseCholesky cholesky = factored(first);
    cholesky.factorize(second);
    expect_agrees_with_eigen(cholesky, second);
    cholesky.factorize(first);
    expect_agrees_with_eigen(cholesky, first);
  }
}

TEST(SparseCholesky, AnalyzesAgainWithANewPattern) {
  SparseCholesky cholesky = factored(grid_laplacian(16, 16, 16));
  const SparseMatrix lower = grid_laplacian(4, 5, 6);
  cholesky.analyze(lower);
  cholesky.factorize(lower);
  expect_agrees_with_eigen(cholesky, lower);
}

TEST(SparseCholesky, AcceptsAnUncompressedMatrix) {
  const SparseMatrix lower = grid_laplacian(6, 6, 6);
  SparseMatrix uncompressed = lower;
  uncompressed.uncompress();
  expect_agrees_with_eigen(factored(uncompressed), lower);
}

TEST(SparseCholesky, NamesTheRowThatIsNotPositive) {
  for (const int cells : {6, 16}) {
    for (const int row : {0, 57, 215}) {
      SparseMatrix lower = grid_laplacian(cells, cells, cells, 10.0);
      lower.coeffRef(row, row) = -1.0;
      EXPECT_NE(factorize_error(lower).find("row " + std::to_string(row) + " "), std::string::npos)
          << factorize_error(lower);
    }
  }
}

TEST(SparseCholesky, RejectsASingularMatrix) {
  EXPECT_NE(factorize_error(grid_laplacian(6, 6, 6, 0.0)), "");
  EXPECT_NE(factorize_error(grid_laplacian(16, 16, 16, 0.0)), "");
}

TEST(SparseCholesky, RejectsAMatrixWithoutADiagonalEntry) {
  const SparseMatrix lower = lower_matrix(3, {{0, 0, 1.0}, {2, 2, 1.0}});
  EXPECT_NE(factorize_error(lower).find("row 1 "), std::string::npos) << factorize_error(lower);
}

TEST(SparseCholesky, RejectsValuesThatAreNotNumbers) {
  SparseMatrix lower = grid_laplacian(6, 6, 6);
  lower.coeffRef(100, 100) = std::nan("");
  EXPECT_NE(factorize_error(lower).find("row 100 "), std::string::npos) << factorize_error(lower);
}

TEST(SparseCholesky, CanBeFactorizedAfterAFailure) {
  const SparseMatrix good = grid_laplacian(6, 6, 6);
  SparseMatrix bad = good;
  bad.coeffRef(10, 10) = -1.0;
  SparseCholesky cholesky;
  cholesky.analyze(good);
  EXPECT_THROW(cholesky.factorize(bad), std::runtime_error);
  cholesky.factorize(good);
  expect_agrees_with_eigen(cholesky, good);
}

TEST(SparseCholesky, RejectsAnotherPattern) {
  SparseCholesky cholesky;
  cholesky.analyze(grid_laplacian(4, 4, 4));
  EXPECT_THROW(cholesky.factorize(grid_laplacian(4, 4, 5)), std::invalid_argument);
  EXPECT_THROW(cholesky.factorize(random_spd(64, 300, 1)), std::invalid_argument);
}

TEST(SparseCholesky, RejectsEntriesAboveTheDiagonal) {
  const SparseMatrix full = grid_laplacian(4, 4, 4).selfadjointView<Eigen::Lower>();
  SparseCholesky cholesky;
  EXPECT_THROW(cholesky.analyze(full), std::invalid_argument);
}

TEST(SparseCholesky, IsBitwiseTheSameForAnyNumberOfThreads) {
  const SparseMatrix cases[] = {grid_laplacian(8, 8, 8), grid_laplacian(12, 12, 12),
                                grid_laplacian(20, 20, 20), grid_laplacian(120, 9, 9),
                                repeated(grid_laplacian(5, 5, 5), 40)};
  for (const SparseMatrix& lower : cases) {
    SCOPED_TRACE(lower.rows());
    const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
    Eigen::MatrixXd reference;
    for (const int threads : {1, 2, 4}) {
      const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
      tbb::task_arena arena(threads);
      arena.execute([&] {
        const SparseCholesky cholesky = factored(lower);
        for (int repeat = 0; repeat < 5; ++repeat) {
          const Eigen::MatrixXd x = solve(cholesky, b);
          if (reference.size() == 0) reference = x;
          EXPECT_TRUE(same_bits(x, reference)) << threads << " threads, repeat " << repeat;
        }
      });
    }
  }
}

TEST(SparseCholesky, FactorizingTwiceGivesTheSameBits) {
  const SparseMatrix lower = grid_laplacian(18, 18, 18);
  const SparseMatrix other = grid_laplacian(18, 18, 18, 1.0, 9);
  const Eigen::MatrixXd b = random_right_hand_side(static_cast<int>(lower.rows()));
  SparseCholesky cholesky = factored(lower);
  const Eigen::MatrixXd x = solve(cholesky, b);
  cholesky.factorize(other);
  cholesky.factorize(lower);
  EXPECT_TRUE(same_bits(solve(cholesky, b), x));
  const SparseCholesky again = factored(lower);
  EXPECT_EQ(again.permutation(), cholesky.permutation());
  EXPECT_TRUE(same_bits(solve(again, b), x));
}

TEST(SparseCholesky, AddsFewExplicitZeros) {
  for (const int cells : {8, 12, 20}) {
    const SparseMatrix lower = grid_laplacian(cells, cells, cells);
    const Eigen::SimplicialLLT<SparseMatrix> eigen(lower);
    const auto minimum_degree_fill = eigen.matrixL().nestedExpression().nonZeros();
    EXPECT_LE(factored(lower).nonzeros(), 1.3 * minimum_degree_fill) << cells;
  }
}

// 0-2, 1-2, 2-4, 3-4 and a loose 5; eliminating 0 and 1 fills nothing.
SparseMatrix small_tree() {
  return lower_matrix(6, {{0, 0, 3.0},
                          {1, 1, 3.0},
                          {2, 2, 3.0},
                          {3, 3, 3.0},
                          {4, 4, 3.0},
                          {5, 5, 3.0},
                          {2, 0, 1.0},
                          {2, 1, 1.0},
                          {4, 2, 1.0},
                          {4, 3, 1.0}});
}

TEST(EliminationTree, ParentIsTheFirstRowBelowTheDiagonalOfTheFactor) {
  const RowPattern pattern = permuted_rows(small_tree(), {0, 1, 2, 3, 4, 5});
  const std::vector<int> tree = elimination_tree(pattern);
  EXPECT_EQ(tree, (std::vector<int>{2, 2, 4, 4, -1, -1}));
  EXPECT_EQ(column_counts(pattern, tree), (std::vector<int>{2, 2, 2, 2, 1, 1}));
}

TEST(EliminationTree, ColumnCountsEqualTheFillOfADenseElimination) {
  const SparseMatrix lower = random_spd(60, 70, 3);
  std::vector<int> order(60);
  std::iota(order.begin(), order.end(), 0);
  const RowPattern pattern = permuted_rows(lower, order);
  Eigen::MatrixXi filled = (Eigen::MatrixXd(lower).array() != 0.0).cast<int>();
  for (int j = 0; j < 60; ++j)
    for (int a = j + 1; a < 60; ++a)
      for (int b = j + 1; b <= a; ++b)
        if (filled(a, j) && filled(b, j)) filled(a, b) = 1;
  const std::vector<int> counts = column_counts(pattern, elimination_tree(pattern));
  for (int j = 0; j < 60; ++j) EXPECT_EQ(counts[j], filled.col(j).sum()) << j;
}

TEST(EliminationTree, PostorderListsEverySubtreeContiguously) {
  EXPECT_EQ(postorder({3, 4, 3, -1, 5, -1}), (std::vector<int>{0, 2, 3, 1, 4, 5}));
  EXPECT_TRUE(postorder({}).empty());
}

TEST(Ordering, IsAPermutation) {
  for (const SparseMatrix& lower : {grid_laplacian(8, 8, 8), grid_laplacian(16, 16, 16)}) {
    std::vector<int> order = fill_reducing_order(lower);
    std::sort(order.begin(), order.end());
    for (int k = 0; k < lower.rows(); ++k) ASSERT_EQ(order[k], k);
  }
}

TEST(SymbolicFactor, RowsOfASupernodeAreColumnsOrRowsOfItsParent) {
  const SymbolicFactor factor = analyze_pattern(grid_laplacian(16, 16, 16));
  for (int s = 0; s < factor.count(); ++s) {
    const int p = factor.parent[s];
    ASSERT_EQ(p == -1, factor.below(s) == 0);
    if (p == -1) continue;
    ASSERT_GT(p, s);
    ASSERT_LE(factor.first_descendant[p], factor.first_descendant[s]);
    const int* begin = factor.rows_of(p);
    for (int i = 0; i < factor.below(s); ++i) {
      const int row = factor.rows_of(s)[i];
      ASSERT_GE(row, factor.first_column[p]);
      ASSERT_TRUE(row < factor.first_column[p + 1] ||
                  std::binary_search(begin, begin + factor.below(p), row));
    }
  }
}

}  // namespace
}  // namespace dashpot
