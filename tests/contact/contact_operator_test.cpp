#include "solver/contact/contact_operator.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "solver/contact/dense_block.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

Eigen::MatrixXd random_matrix(int rows, int columns, RandomNumbers& random) {
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return random.next(); });
}

// Two islands, 7 + 5 slots, and 9 rows of 0 to 4 slots.
struct RandomOperator {
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(12, 12), basis, middle;
  std::vector<SlotRow> rows;
  Eigen::MatrixXd stencils = Eigen::MatrixXd::Zero(9, 12);
  std::vector<ContactOperator::Part> parts;

  RandomOperator() {
    RandomNumbers random(31);
    const Eigen::MatrixXd half = random_matrix(7, 7, random);
    inverse.topLeftCorner(7, 7) = half * half.transpose();
    std::vector<double> diagonal;
    for (int s = 7; s < 12; ++s) diagonal.push_back(inverse(s, s) = random.between(1, 2));
    parts = {{0, 7, std::make_shared<DenseBlock>(inverse.topLeftCorner(7, 7))},
             {7, 5, std::make_shared<DiagonalBlock>(diagonal)}};
    basis = random_matrix(36, 4, random);
    middle = random_matrix(4, 4, random);
    middle = Eigen::MatrixXd(middle + middle.transpose());
    for (int c = 0; c < 9; ++c) {
      SlotRow row;
      row.count = c % 5;
      for (int k = 0; k < row.count; ++k) {
        row.slot[k] = (5 * c + 3 * k) % 12;
        row.weight[k] = random.next();
        stencils(c, row.slot[k]) += row.weight[k];
      }
      rows.push_back(row);
    }
  }
  Eigen::MatrixXd expected() const {
    Eigen::MatrixXd blocks = basis * middle * basis.transpose();
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(27, 36);
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 12; ++i)
        for (int j = 0; j < 12; ++j) blocks(3 * i + axis, 3 * j + axis) += inverse(i, j);
      for (int c = 0; c < 9; ++c)
        for (int s = 0; s < 12; ++s) d(3 * c + axis, 3 * s + axis) = stencils(c, s);
    }
    return d * blocks * d.transpose();
  }
};

TEST(ContactOperator, MultipliesByStencilsBlocksAndLowRankTerms) {
  const RandomOperator sample;
  const ContactOperator w(sample.rows, sample.parts, sample.basis, sample.middle);
  RandomNumbers random(6);
  const Points z = random.points(9);
  Points image;
  w.multiply(z, image);
  const Eigen::VectorXd expected =
      sample.expected() * Eigen::Map<const Eigen::VectorXd>(z.data(), 27);
  EXPECT_LT((Eigen::Map<Eigen::VectorXd>(image.data(), 27) - expected).norm(), 1e-13);
  EXPECT_EQ(image.col(0), Vec3::Zero()) << "a row without slots moved";
}

TEST(ContactOperator, TheDenseMatrixIsThatOfTheProducts) {
  const RandomOperator sample;
  const ContactOperator w(sample.rows, sample.parts, sample.basis, sample.middle);
  EXPECT_LT((w.dense() - sample.expected()).norm(), 1e-13);
}

TEST(ContactOperator, ThePositivePartOfLowRankTermsHasTheirPositiveEigenvalues) {
  RandomOperator sample;
  sample.basis.col(2) = 1e-6 * sample.basis.col(1);
  const ContactOperator w(sample.rows, sample.parts, sample.basis, sample.middle);
  const ContactOperator without(sample.rows, sample.parts, {}, {});
  const Eigen::MatrixXd terms = w.dense() - without.dense(), v = w.low_rank_part();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(terms);
  const Eigen::VectorXd values = modes.eigenvalues().cwiseMax(0);
  ASSERT_GT(values.maxCoeff(), 0.1);
  ASSERT_LT(modes.eigenvalues().minCoeff(), -0.1);
  const Eigen::MatrixXd positive =
      modes.eigenvectors() * values.asDiagonal() * modes.eigenvectors().transpose();
  EXPECT_LT((v * v.transpose() - positive).norm(), 1e-12 * positive.norm());
  EXPECT_EQ(without.low_rank_part().cols(), 0);
}

TEST(ContactOperator, NeedsNoLowRankTerms) {
  RandomOperator sample;
  const ContactOperator w(sample.rows, sample.parts, {}, {});
  sample.middle.setZero();
  EXPECT_LT((w.dense() - sample.expected()).norm(), 1e-13);
}

}  // namespace
}  // namespace dashpot
