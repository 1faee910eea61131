#include "solver/linear/global_matrix.h"

#include <gtest/gtest.h>

#include "tests/linear/spring_network.h"

namespace dashpot {
namespace {

double error_of(const GlobalMatrix& system, const Network& network, double h) {
  RandomNumbers random(99);
  const Points rhs = random.points(network.count);
  const Points x = solve(system, rhs);
  return (x * network.matrix(h) - rhs).norm() / rhs.norm();
}

TEST(GlobalMatrix, SolvesMassDragAndStiffnessTogether) {
  const Network network(60, 1);
  GlobalMatrix system(network.stiffness, network.mass, network.drag, no_pins());
  system.select(0.13);
  EXPECT_LT(error_of(system, network, 0.13), 1e-13);
}

TEST(GlobalMatrix, OrderIsAPermutationWithPinnedPointsLast) {
  const Network network(60, 2);
  std::vector<char> pinned(60, 0);
  for (int i : {0, 7, 8, 31, 59}) pinned[i] = 1;
  const GlobalMatrix system(network.stiffness, network.mass, network.drag, pinned);
  const VertexOrder& order = system.order();
  ASSERT_EQ(order.count(), 60);
  EXPECT_EQ(order.free_count, 55);
  for (int k = 0; k < 60; ++k) {
    EXPECT_EQ(order.position[order.point[k]], k);
    EXPECT_EQ(pinned[order.point[k]] != 0, k >= 55);
  }
}

TEST(GlobalMatrix, PinnedPointsLeaveTheMatrix) {
  const Network network(60, 3);
  std::vector<char> pinned(60, 0);
  for (int i : {0, 7, 8, 31, 59}) pinned[i] = 1;
  GlobalMatrix system(network.stiffness, network.mass, network.drag, pinned);
  system.select(0.2);
  RandomNumbers random(5);
  const Points rhs = random.points(60), x = solve(system, rhs);
  const Points residual = x * network.matrix(0.2) - rhs;
  for (int i = 0; i < 60; ++i)
    EXPECT_LT(pinned[i] ? 0 : residual.col(i).norm(), 1e-12) << "point " << i;
}

TEST(GlobalMatrix, ReportsInertiaAndDiagonalByPosition) {
  const Network network(60, 4);
  std::vector<char> pinned(60, 0);
  pinned[3] = pinned[40] = 1;
  GlobalMatrix system(network.stiffness, network.mass, network.drag, pinned);
  const double h = 0.3;
  system.select(h);
  const VertexOrder& order = system.order();
  ASSERT_EQ(system.inertia().size(), 58u);
  ASSERT_EQ(system.diagonal().size(), 58u);
  for (int k = 0; k < order.free_count; ++k) {
    const int i = order.point[k];
    EXPECT_DOUBLE_EQ(system.inertia()[k], network.mass[i] / (h * h) + network.drag[i] / h);
    EXPECT_NEAR(system.diagonal()[k], network.matrix(h)(i, i), 1e-12 * system.diagonal()[k]);
  }
}

TEST(GlobalMatrix, GivesRowsAndColumnsOfTheSelectedMatrix) {
  const Network network(60, 4);
  std::vector<char> pinned(60, 0);
  pinned[3] = pinned[40] = 1;
  GlobalMatrix system(network.stiffness, network.mass, network.drag, pinned);
  system.set_damping(values(network.stiffness, 0.1));
  const double h = 0.3;
  system.select(h);
  const std::vector<int> positions = {17, 4, 30, 31, 5, 57};
  const Eigen::MatrixXd part = system.submatrix(positions);
  const Eigen::MatrixXd whole = network.matrix(h) + 0.1 / h * network.k;
  ASSERT_EQ(part.rows(), 6);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) {
      const auto& point = system.order().point;
      const double expected = whole(point[positions[i]], point[positions[j]]);
      EXPECT_NEAR(part(i, j), i >= j ? expected : 0, 1e-10) << i << " " << j;
    }
}

TEST(GlobalMatrix, TwoFactorsAreKeptAndChosenByH) {
  const Network network(60, 5);
  GlobalMatrix system(network.stiffness, network.mass, network.drag, no_pins());
  RandomNumbers random(6);
  const Points rhs = random.points(60);
  system.select(0.1);
  const Points first = solve(system, rhs);
  system.select(0.4);
  EXPECT_LT(error_of(system, network, 0.4), 1e-13);
  EXPECT_GT((solve(system, rhs) - first).norm(), 1e-3);
  system.select(0.1);
  EXPECT_EQ(solve(system, rhs), first);
}

TEST(GlobalMatrix, AThirdHReplacesTheOneThatWasUsedLeastRecently) {
  const Network network(60, 6);
  GlobalMatrix system(network.stiffness, network.mass, network.drag, no_pins());
  for (const double h : {0.1, 0.4, 0.1, 0.02, 0.1, 0.4, 0.02}) {
    system.select(h);
    EXPECT_LT(error_of(system, network, h), 1e-13) << "h = " << h;
  }
}

TEST(GlobalMatrix, NewStiffnessReplacesTheOldInAllFactors) {
  Network network(60, 8);
  GlobalMatrix system(network.stiffness, network.mass, network.drag, no_pins());
  system.select(0.1);
  system.select(0.4);
  system.set_stiffness(values(network.stiffness, 16));
  network.k *= 16;
  for (const double h : {0.1, 0.4}) {
    system.select(h);
    EXPECT_LT(error_of(system, network, h), 1e-13) << "h = " << h;
  }
}

// Else a simulation could not be rewound bit for bit.
TEST(GlobalMatrix, StiffnessThatComesBackGivesTheSameSolutionBitForBit) {
  const Network network(60, 9);
  GlobalMatrix system(network.stiffness, network.mass, network.drag, no_pins());
  RandomNumbers random(6);
  const Points rhs = random.points(60);
  system.select(0.1);
  const Points first = solve(system, rhs);
  for (const double scale : {16.0, 1.0}) system.set_stiffness(values(network.stiffness, scale));
  system.select(0.1);
  EXPECT_EQ(solve(system, rhs), first);
}

TEST(GlobalMatrix, EverythingMayBePinned) {
  const Network network(60, 7);
  GlobalMatrix system(network.stiffness, network.mass, network.drag, std::vector<char>(60, 1));
  system.select(0.1);
  EXPECT_EQ(system.order().free_count, 0);
  EXPECT_EQ(solve(system, Points::Ones(3, 60)), Points::Zero(3, 60));
}

// A cube of points with springs to all neighbours.
struct Grid {
  GlobalMatrix::Triplets stiffness;
  std::vector<double> mass, drag;
  std::vector<char> pinned;

  Grid(int side, double spring) {
    const auto point = [&](int i, int j, int k) { return (i * side + j) * side + k; };
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j)
        for (int k = 0; k < side; ++k)
          for (int corner = 1; corner < 8; ++corner) {
            const int a = i + (corner & 1), b = j + (corner >> 1 & 1), c = k + (corner >> 2);
            if (a == side || b == side || c == side) continue;
            const int from = point(i, j, k), to = point(a, b, c);
            for (int at : {from, to}) stiffness.emplace_back(at, at, spring);
            stiffness.emplace_back(std::max(from, to), std::min(from, to), -spring);
          }
    mass.assign(static_cast<std::size_t>(side) * side * side, 1.0);
    drag.assign(mass.size(), 0.0);
    pinned.assign(mass.size(), 0);
  }
  FactorPrecision chosen() const {
    GlobalMatrix system(stiffness, mass, drag, pinned);
    system.select(1.0);
    return system.precision();
  }
};

TEST(GlobalMatrix, LargeFactorsAreOfSinglePrecisionUnlessTheBodyIsVeryStiff) {
  EXPECT_EQ(Grid(6, 1e3).chosen(), FactorPrecision::kDouble);
  EXPECT_EQ(Grid(18, 1e3).chosen(), FactorPrecision::kSingle);
  EXPECT_EQ(Grid(18, 1e5).chosen(), FactorPrecision::kDouble);
}

// Moving a free body as a whole is where stiffness against deformation hurts the most.
TEST(GlobalMatrix, WhereSinglePrecisionIsChosenAMotionAsAWholeIsFoundToThreeDigits) {
  const Grid grid(18, 5e3);
  GlobalMatrix system(grid.stiffness, grid.mass, grid.drag, grid.pinned);
  system.select(1.0);
  ASSERT_EQ(system.precision(), FactorPrecision::kSingle);
  const Points x = solve(system, Points::Ones(3, static_cast<Eigen::Index>(grid.mass.size())));
  EXPECT_LT((x - Points::Ones(3, x.cols())).cwiseAbs().maxCoeff(), 1e-3);
}

}  // namespace
}  // namespace dashpot
