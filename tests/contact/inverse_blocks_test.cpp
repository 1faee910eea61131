#include "solver/contact/inverse_blocks.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "tests/contact/contact_samples.h"

namespace dashpot {
namespace {

// Entry by entry, from products.
Eigen::MatrixXd entries(const InverseBlock& block, int count) {
  Eigen::MatrixXd result(count, count);
  Points f(3, count), u(3, count);
  for (int first = 0; first < count; first += 3) {
    f.setZero();
    const int columns = std::min(3, count - first);
    for (int c = 0; c < columns; ++c) f(c, first + c) = 1;
    block.multiply(f, 0, count, u);
    for (int c = 0; c < columns; ++c) result.col(first + c) = u.row(c).transpose();
  }
  return result;
}

TEST(InverseBlocks, FewVerticesHaveTheExactInverse) {
  const BoxSystem box({4, 3, 5}, Vec3(0.4, 0.3, 0.5), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface);
  std::vector<int> positions = box.bottom;
  std::reverse(positions.begin(), positions.end());
  const int count = static_cast<int>(positions.size());
  const Eigen::MatrixXd exact = box.dense_inverse(positions);
  EXPECT_LT((entries(*blocks.at(positions), count) - exact).norm(), 1e-12 * exact.norm());
}

TEST(InverseBlocks, ABlockWritesItsOwnColumnsOnly) {
  const BoxSystem box({2, 2, 2}, Vec3(0.4, 0.3, 0.5), 1e6);
  InverseBlocks blocks(*box.matrix);
  Points f = Points::Ones(3, 12), u = Points::Zero(3, 12);
  blocks.at(box.bottom)->multiply(f, 2, 9, u);
  EXPECT_EQ(u.leftCols(2), Points::Zero(3, 2));
  EXPECT_EQ(u.rightCols(1), Points::Zero(3, 1));
  EXPECT_GT(u.middleCols(2, 9).minCoeff(), 0);
}

// Else a simulation could not be resumed bit for bit.
TEST(InverseBlocks, GrownBlocksAreThoseOfAFreshStartBitForBit) {
  const BoxSystem box({6, 3, 6}, Vec3(0.6, 0.3, 0.6), 1e6);
  InverseBlocks grown(*box.matrix, box.surface), fresh(*box.matrix, box.surface);
  const std::vector<int> some(box.bottom.begin() + 20, box.bottom.begin() + 40);
  grown.at(some);
  const int before = grown.solves();
  const int count = static_cast<int>(box.bottom.size());
  const Eigen::MatrixXd first = entries(*grown.at(box.bottom), count);
  EXPECT_EQ(first, entries(*fresh.at(box.bottom), count));
  EXPECT_EQ(grown.solves() - before, (count - 20 + 2) / 3) << "known columns were solved again";
}

TEST(InverseBlocks, WhatRollsKeepsNoMoreColumnsThanABlockMayHave) {
  const BoxSystem box({14, 2, 14}, Vec3(1.4, 0.2, 1.4), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface), fresh(*box.matrix, box.surface);
  constexpr auto kMost = static_cast<std::size_t>(InverseBlocks::kMostDense);
  ASSERT_GT(box.surface.size(), kMost);
  constexpr int kTouched = 90;
  for (std::size_t first = 0; first + kTouched <= box.surface.size(); first += 30) {
    const auto begin = box.surface.begin() + static_cast<std::ptrdiff_t>(first);
    blocks.at({begin, begin + kTouched});
    EXPECT_LE(blocks.known_columns(), kMost);
  }
  // Forgotten by then.
  const std::vector<int> some(box.surface.begin(), box.surface.begin() + kTouched);
  const int solves = blocks.solves();
  EXPECT_EQ(entries(*blocks.at(some), kTouched), entries(*fresh.at(some), kTouched));
  EXPECT_GT(blocks.solves(), solves);
}

TEST(InverseBlocks, TheBlocksOfTwoFactorsAreKept) {
  const BoxSystem box({3, 3, 3}, Vec3(0.3, 0.3, 0.3), 1e6);
  InverseBlocks blocks(*box.matrix);
  const int count = static_cast<int>(box.bottom.size());
  const Eigen::MatrixXd first = entries(*blocks.at(box.bottom), count);
  box.matrix->select(0.5 * kStageLength);
  const Eigen::MatrixXd second = entries(*blocks.at(box.bottom), count);
  const int solves = blocks.solves();
  box.matrix->select(kStageLength);
  EXPECT_EQ(entries(*blocks.at(box.bottom), count), first);
  box.matrix->select(0.5 * kStageLength);
  EXPECT_EQ(entries(*blocks.at(box.bottom), count), second);
  EXPECT_NE(first, second);
  EXPECT_EQ(blocks.solves(), solves);
}

// Within 10 % for all forces: f^T surrogate f >= 0.9 f^T A^-1 f, and never above.
TEST(ShellSurrogate, IsWithinATenthOfTheInverseOnAFaceOfABlock) {
  for (const double youngs : {1e6, 1e8}) {
    const BoxSystem box({9, 9, 9}, Vec3(0.9, 0.9, 0.9), youngs);
    const int count = static_cast<int>(box.bottom.size());
    std::vector<int> index(count);
    for (int i = 0; i < count; ++i) index[i] = i;
    const ShellFactor shell(*box.matrix, box.bottom,
                            shell_around(box.matrix->submatrix(box.all()), box.bottom));
    ASSERT_EQ(shell.shell_size(), 3 * count);
    const Eigen::MatrixXd surrogate = entries(ShellSurrogate(shell, index), count);
    const Eigen::MatrixXd exact = box.dense_inverse(box.bottom);
    // The shell's factor is of single precision.
    EXPECT_LT((surrogate - surrogate.transpose()).norm(), 1e-7 * exact.norm());
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> missing(exact - surrogate,
                                                                            exact);
    EXPECT_LT(missing.eigenvalues().maxCoeff(), 0.1) << youngs;
    EXPECT_GT(missing.eigenvalues().minCoeff(), -1e-6) << youngs;
  }
}

struct LargeFace {
  BoxSystem box{{20, 14, 20}, Vec3(2.0, 1.4, 2.0), 1e6};
  Points forces;
  LargeFace() {
    RandomNumbers random(2);
    forces = random.points(static_cast<int>(box.bottom.size()));
  }
  Points answer(InverseBlocks& blocks) const {
    Points u = Points::Zero(3, forces.cols());
    blocks.at(box.bottom)->multiply(forces, 0, static_cast<int>(forces.cols()), u);
    return u;
  }
};

TEST(InverseBlocks, ManyVerticesHaveASurrogateThatDependsOnTheirGroupsOnly) {
  const LargeFace face;
  ASSERT_GT(face.forces.cols(), InverseBlocks::kMostDense);
  InverseBlocks blocks(*face.box.matrix, face.box.surface);
  const Points u = face.answer(blocks);
  const int solves = blocks.solves();
  EXPECT_GT(solves, 0);
  std::vector<int> fewer = face.box.bottom;
  fewer.erase(fewer.begin() + 100);
  blocks.at(fewer);
  EXPECT_EQ(blocks.solves(), solves) << "made anew for one vertex";
  InverseBlocks other(*face.box.matrix, face.box.surface);
  other.at(fewer);
  EXPECT_EQ(face.answer(other), u);
}

TEST(InverseBlocks, ManyVerticesOfAThinBodyHaveTheExactInverseAndCostNothingInAdvance) {
  const BoxSystem box({20, 2, 20}, Vec3(2, 0.2, 2), 1e6);
  const int count = static_cast<int>(box.bottom.size());
  ASSERT_GT(count, InverseBlocks::kMostDense);
  InverseBlocks blocks(*box.matrix, box.surface);
  const auto block = blocks.at(box.bottom);
  EXPECT_EQ(blocks.solves(), 0);
  const Eigen::MatrixXd exact = box.dense_inverse(box.bottom);
  EXPECT_LT((entries(*block, count) - exact).norm(), 1e-10 * exact.norm());
}

TEST(InverseBlocks, TheSurrogateHasTheSameBitsOnAnyNumberOfThreads) {
  const LargeFace face;
  Points expected;
  for (const int threads : {1, 2, 5}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    InverseBlocks blocks(*face.box.matrix, face.box.surface);
    const Points u = face.answer(blocks);
    if (threads == 1) expected = u;
    EXPECT_EQ(u, expected) << threads;
  }
}

}  // namespace
}  // namespace dashpot
