#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "solver/contact/cone_newton.h"
#include "solver/contact/lumped_preconditioner.h"
#include "tests/contact/contact_samples.h"

namespace dashpot {
namespace {

// Where quasi-Newton steps push everything sideways and all of it goes on sticking. By itself,
// Newton's method takes what sticks for what slides, and cuts its steps.
TEST(ConeNewton, WhatGoesOnAsItDidTakesFewLinearSystems) {
  const BoxSystem box({10, 3, 10}, Vec3(1, 0.3, 1), 1e5);
  InverseBlocks blocks(*box.matrix, box.surface);
  const ConeSample start = box_on_floor(box, blocks.at(box.bottom), Vec3(0.2, -1, 0), 0.5);
  ConeSettings settings;
  settings.tolerance = 1e-6;
  settings.proximal = 0.02;
  settings.rounds = 10;
  ConeSample sample = start;
  ConeSolver solver;
  sample.solve(solver, settings);
  for (int c = 0; c < sample.y.cols(); ++c)
    sample.y(c % 2 == 0 ? 0 : 2, c) += 1e-4 * (c * 7 % 5 - 2);
  ConeSample fresh = sample;
  ConeSolver another;
  const ConeResult slow = fresh.solve(another, settings), fast = sample.solve(solver, settings);
  EXPECT_LE(slow.residual, 1e-6);
  EXPECT_LE(fast.residual, 1e-6);
  EXPECT_LE(fast.newton, 3);
  EXPECT_GT(slow.newton, 2 * fast.newton);
  EXPECT_LT((sample.y - fresh.y).norm(), 1e-5);
}

// V V^T = V' V'^T + what the preconditioner P knows well enough: no eigenvalue of P times that is
// above 1, all of P V' V'^T are.
TEST(LumpedPreconditioner, MissesWhatIsMuchSofterThanItKnows) {
  const BoxSystem box({6, 3, 6}, Vec3(0.6, 0.3, 0.6), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface);
  const ConeSample sample = box_on_floor(box, blocks.at(box.bottom), -Vec3::UnitY(), 0.5);
  LumpedPreconditioner preconditioner;
  preconditioner.prepare(sample.rows, sample.touched, sample.compliance, 1,
                         std::vector<char>(sample.rows.size(), 1));
  RandomNumbers random(3);
  Eigen::MatrixXd v =
      Eigen::MatrixXd::NullaryExpr(3 * sample.y.cols(), 6, [&] { return random.next(); });
  for (int k = 0; k < 6; ++k) v.col(k) *= std::sqrt(sample.compliance[0]) * std::pow(0.4, k);
  const auto softness = [&](const Eigen::MatrixXd& of) {
    Eigen::MatrixXd image(of.rows(), of.cols());
    for (Eigen::Index k = 0; k < of.cols(); ++k) {
      Points z;
      preconditioner.multiply(Eigen::Map<const Points>(of.col(k).data(), 3, of.rows() / 3), z);
      image.col(k) = Eigen::Map<const Eigen::VectorXd>(z.data(), z.size());
    }
    return Eigen::VectorXd(
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(of.transpose() * image).eigenvalues());
  };
  const Eigen::VectorXd all = softness(v), missed = softness(preconditioner.missed(v));
  ASSERT_LT(all[0], 1);
  ASSERT_GT(all[5], 1);
  ASSERT_EQ(missed.size(), (all.array() > 1).count());
  EXPECT_LT((missed - all.tail(missed.size())).norm(), 1e-9 * all[5]);
}

}  // namespace
}  // namespace dashpot
