#include "solver/contact/cone_newton.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>

#include "solver/contact/coulomb_cone.h"
#include "tests/contact/contact_samples.h"
#include "tests/linear/spring_network.h"

namespace dashpot {
namespace {

constexpr int kSlots = 40;

// Rows of 1 to 4 slots over a random network of springs that everything pushes into planes.
struct NetworkSpec {
  int rows = 30;
  double friction = 0.5;
  double sideways = 0.02;  // of the free motion, m
  double heavier = 1;      // every other vertex
  std::uint64_t seed = 1;
};

SlotRow random_row(RandomNumbers& random) {
  SlotRow row;
  row.count = 1 + static_cast<int>(random.between(0, 4));
  double sum = 0;
  const int first = static_cast<int>(random.between(0, kSlots));
  for (int k = 0; k < row.count; ++k) {
    row.slot[k] = (first + 7 * k) % kSlots;
    sum += row.weight[k] = random.between(0.1, 1);
  }
  for (double& weight : row.weight) weight /= sum;
  if (row.count == 4) row.weight = {0.4, 0.6, -0.3, -0.7};
  return row;
}

ConeSample network_sample(const NetworkSpec& spec) {
  ConeSample sample;
  RandomNumbers random(spec.seed);
  Network network(60, spec.seed);
  for (int i = 0; i < 60; i += 2) network.mass[i] *= spec.heavier;
  const Eigen::MatrixXd matrix = network.matrix(0.1);
  sample.touched =
      Eigen::MatrixXd(matrix.topLeftCorner(kSlots, kSlots).triangularView<Eigen::Lower>())
          .sparseView();
  sample.inverse = std::make_shared<DenseBlock>(matrix.inverse().topLeftCorner(kSlots, kSlots));
  for (int c = 0; c < spec.rows; ++c) {
    ContactPlane plane;
    plane.normal = (Vec3::UnitY() + 0.4 * random.vector()).normalized();
    plane.offset = 0.01 * random.next();
    plane.rest = 0.05 * random.vector();
    plane.friction = spec.friction;
    sample.planes.push_back(plane);
    sample.rows.push_back(random_row(random));
  }
  sample.y.resize(3, spec.rows);
  for (int c = 0; c < spec.rows; ++c) {
    const ContactPlane& plane = sample.planes[c];
    sample.y.col(c) = plane.rest + (plane.offset - plane.normal.dot(plane.rest)) * plane.normal +
                      random.between(-0.02, 0.005) * plane.normal + spec.sideways * random.vector();
  }
  sample.force.setZero(3, spec.rows);
  sample.set_compliance();
  return sample;
}

ConeSettings exact() {
  ConeSettings settings;
  settings.tolerance = 1e-10;
  settings.newton = 8;
  settings.rounds = 60;
  settings.forcing = 1e-3;
  return settings;
}

struct Counts {
  int open = 0, slide = 0, stick = 0;
};

// Coulomb's law in its own words, forces measured by what they move.
Counts expect_coulomb(const ConeSample& sample, double tolerance) {
  Counts counts;
  for (std::size_t c = 0; c < sample.planes.size(); ++c) {
    const ContactPlane& plane = sample.planes[c];
    const double q = sample.compliance[c];
    const Vec3 force = q * sample.force.col(c);
    const Vec3 u = plane.gap_and_slip(sample.y.col(c));
    const double gap = plane.normal.dot(u), pressure = plane.normal.dot(force);
    const Vec3 slip = u - gap * plane.normal, along = force - pressure * plane.normal;
    EXPECT_GT(gap, -tolerance) << c;
    EXPECT_GT(pressure, -tolerance) << c;
    EXPECT_LT(std::min(gap, pressure), tolerance) << c;
    EXPECT_LT(along.norm(), plane.friction * pressure + tolerance) << c;
    const double reserve = plane.friction * pressure - along.norm();
    EXPECT_LT(std::min(slip.norm(), reserve), 2 * tolerance) << c << ": slips inside the cone";
    if (pressure > tolerance && slip.norm() > 1e-4 && plane.friction > 0) {
      EXPECT_LT((slip.normalized() + along.normalized()).norm(), 1e-3) << c;
    }
    ++(pressure <= tolerance ? counts.open : reserve > tolerance ? counts.stick : counts.slide);
  }
  return counts;
}

TEST(ConeNewton, FindsTheForcesOfCoulombsLaw) {
  Counts seen;
  for (const double friction : {0.0, 0.2, 0.8})
    for (const double sideways : {0.0, 0.01, 0.05})
      for (std::uint64_t seed = 1; seed < 6; ++seed) {
        ConeSample sample = network_sample({30, friction, sideways, 1, seed});
        ConeSolver solver;
        const ConeResult result = sample.solve(solver, exact());
        ASSERT_LE(result.residual, 1e-10) << friction << " " << sideways << " " << seed;
        const Counts counts = expect_coulomb(sample, 1e-8);
        seen.open += counts.open;
        seen.slide += counts.slide;
        seen.stick += counts.stick;
      }
  EXPECT_GT(seen.open, 100);
  EXPECT_GT(seen.slide, 100);
  EXPECT_GT(seen.stick, 100);
}

TEST(ConeNewton, FewRowsAreSolvedByOneFactor) {
  for (const double friction : {0.0, 0.3})
    for (std::uint64_t seed = 1; seed < 10; ++seed) {
      ConeSample sample = network_sample({10, friction, 0.02, 1, seed});
      ConeSolver solver;
      ASSERT_LE(sample.solve(solver, exact()).residual, 1e-10);
      EXPECT_EQ(solver.factorizations(), 0);
      expect_coulomb(sample, 1e-8);
    }
}

// y stays D x of the forces: its change is W times theirs.
TEST(ConeNewton, PlacesFollowForces) {
  ConeSample sample = network_sample({});
  const Points before = sample.y;
  ConeSolver solver;
  sample.solve(solver, exact());
  Points moved;
  sample.response().multiply(sample.force, moved);
  EXPECT_GT(moved.norm(), 1e-3);
  EXPECT_LT((sample.y - before - moved).norm(), 1e-13);
}

// Directions in which bodies give way more than the global matrix knows, and less.
TEST(ConeNewton, LowRankTermsCostFewProducts) {
  ConeSample sample = network_sample({});
  ConeSolver plain;
  const int free = sample.solve(plain, exact()).products;
  sample = network_sample({});
  RandomNumbers random(7);
  const double typical = std::sqrt(sample.compliance[0]);
  sample.basis =
      Eigen::MatrixXd::NullaryExpr(3 * kSlots, 10, [&] { return typical * random.next(); });
  sample.basis.col(9) *= 0.05;
  sample.middle = Eigen::MatrixXd::Identity(10, 10);
  sample.middle(9, 9) = -1;
  ConeSolver solver;
  const ConeResult result = sample.solve(solver, exact());
  ASSERT_LE(result.residual, 1e-10);
  expect_coulomb(sample, 1e-8);
  EXPECT_LT(result.products, 2 * free);
}

// Vertex against triangle from both sides gives rows that say the same.
TEST(ConeNewton, RowsMayBeRedundant) {
  for (const int rows : {6, 30}) {
    ConeSample sample = network_sample({rows, 0.4, 0.02});
    ConeSample twice = sample;
    for (int c = 0; c < rows; ++c) {
      twice.planes.push_back(sample.planes[c]);
      twice.rows.push_back(sample.rows[c]);
    }
    twice.y.resize(3, 2 * rows);
    twice.y << sample.y, sample.y;
    twice.force.setZero(3, 2 * rows);
    twice.set_compliance();
    ConeSolver solver;
    ASSERT_LE(sample.solve(solver, exact()).residual, 1e-10);
    ASSERT_LE(twice.solve(solver, exact()).residual, 1e-10);
    expect_coulomb(twice, 1e-8);
  }
}

TEST(ConeNewton, CompliancesMayDifferByAMillion) {
  for (const double friction : {0.0, 0.5}) {
    ConeSample sample = network_sample({30, friction, 0.02, 1e6});
    ConeSolver solver;
    ASSERT_LE(sample.solve(solver, exact()).residual, 1e-10);
    expect_coulomb(sample, 1e-8);
  }
}

TEST(ConeNewton, RowsThatNothingCanMoveHaveNoForce) {
  ConeSample sample = network_sample({});
  sample.rows[3].count = sample.rows[20].count = 0;
  sample.set_compliance();
  sample.force.col(3) = Vec3(1, 2, 3);
  const Points before = sample.y;
  ConeSolver solver;
  EXPECT_LE(sample.solve(solver, exact()).residual, 1e-10);
  for (const int c : {3, 20}) {
    EXPECT_EQ(sample.force.col(c), Vec3::Zero());
    EXPECT_EQ(sample.y.col(c), before.col(c));
  }
  EXPECT_GT(sample.force.norm(), 0);
}

TEST(ConeNewton, NothingToDoIsDoneAtOnce) {
  ConeSample sample;
  sample.touched.resize(0, 0);
  sample.inverse = std::make_shared<DiagonalBlock>(std::vector<double>());
  sample.y.resize(3, 0);
  sample.force.resize(3, 0);
  ConeSolver solver;
  EXPECT_EQ(sample.solve(solver, exact()).residual, 0);
}

// Projected Gauss-Seidel: each row in turn takes the force that is right for it alone, W_cc w I.
void sweep(ConeSample& sample, const Eigen::MatrixXd& w) {
  for (std::size_t c = 0; c < sample.planes.size(); ++c) {
    const double own = w(3 * c, 3 * c);
    const ContactPlane& plane = sample.planes[c];
    const Vec3 u = plane.gap_and_slip(sample.y.col(c) - own * sample.force.col(c));
    Vec3 force = Vec3::Zero();
    const double depth = -plane.normal.dot(u);
    if (depth > 0) {
      const Vec3 slip = u + depth * plane.normal;
      const double share = std::min(1.0, plane.friction * depth / std::max(slip.norm(), 1e-300));
      force = (depth * plane.normal - share * slip) / own;
    }
    const Vec3 change = force - sample.force.col(c);
    sample.force.col(c) = force;
    Eigen::Map<Eigen::VectorXd>(sample.y.data(), sample.y.size()) +=
        w.middleCols<3>(3 * c) * change;
  }
}

TEST(ConeNewton, AgreesWithManySweepsOfGaussSeidel) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    ConeSample sample = network_sample({15, 0.3, 0.02, 1, seed}), swept = sample;
    const Eigen::MatrixXd w = sample.response().dense();
    for (int i = 0; i < 5000; ++i) sweep(swept, w);
    ConeSolver solver;
    ASSERT_LE(sample.solve(solver, exact()).residual, 1e-10);
    EXPECT_LT((sample.y - swept.y).cwiseAbs().maxCoeff(), 1e-8) << seed;
  }
}

// 1/2 z'Wz + f^.Wz + sum |P_K(p)|^2 / (2k) of a round that began with `before`.
double merit(const ConeSample& before, const ConeSample& now, double proximal) {
  const auto dot = [](const Points& a, const Points& b) { return a.cwiseProduct(b).sum(); };
  const Points moved = now.y - before.y;
  double sum = 0.5 * dot(now.force - before.force, moved) + dot(before.force, moved);
  for (std::size_t c = 0; c < now.planes.size(); ++c) {
    const ContactPlane& plane = now.planes[c];
    const Vec3 begin = plane.gap_and_slip(before.y.col(c));
    const double slip = plane.friction * (begin - plane.normal.dot(begin) * plane.normal).norm();
    const double softness = proximal * now.compliance[c];
    const Vec3 u = plane.gap_and_slip(now.y.col(c)) + slip * plane.normal;
    const Vec3 p = before.force.col(c) - u / softness;
    sum += 0.5 * softness * project_on_cone(plane.normal, plane.friction, p).force.squaredNorm();
  }
  return sum;
}

TEST(ConeNewton, NoStepLetsTheMeritOfItsRoundRise) {
  int steps = 0;
  for (const double friction : {0.0, 0.5})
    for (const double proximal : {1.0, 0.05})
      for (std::uint64_t seed = 1; seed < 6; ++seed) {
        ConeSample now = network_sample({30, friction, 0.03, 1, seed});
        ConeSettings settings = exact();
        settings.proximal = proximal;
        settings.newton = settings.rounds = 1;
        settings.forcing = 1e-2;
        ConeSolver solver;
        for (int call = 0; call < 8; ++call) {
          const ConeSample before = now;
          steps += now.solve(solver, settings).newton;
          const double begin = merit(before, before, proximal), end = merit(before, now, proximal);
          EXPECT_LE(end, begin + 1e-12 * begin) << call;
        }
      }
  EXPECT_GT(steps, 100);
}

TEST(ConeNewton, AnEpsilonThatShrinksLeadsToTheSameAnswer) {
  ConeSample sample = network_sample({}), other = sample;
  ConeSolver solver;
  sample.solve(solver, exact());
  ConeSettings settings = exact();
  settings.proximal = 0.05;
  ASSERT_LE(other.solve(solver, settings).residual, 1e-10);
  EXPECT_LT((sample.y - other.y).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(ConeNewton, ForcesThatAreRightCostNothing) {
  const BoxSystem box({10, 3, 10}, Vec3(1, 0.3, 1), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface);
  ConeSample sample = box_on_floor(box, blocks.at(box.bottom), Vec3(0.2, -1, 0), 0.5);
  ConeSettings settings;
  settings.tolerance = 1e-6;
  settings.rounds = 20;
  ConeSolver solver;
  ASSERT_LE(sample.solve(solver, settings).residual, 1e-6);
  const Points force = sample.force;
  const ConeResult again = sample.solve(solver, settings);
  EXPECT_EQ(again.products, 0);
  EXPECT_EQ(again.newton, 0);
  EXPECT_EQ(sample.force, force);
}

TEST(ConeNewton, AFactorIsKeptWhileTheSameRowsPress) {
  const BoxSystem box({10, 3, 10}, Vec3(1, 0.3, 1), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface);
  ConeSample sample = box_on_floor(box, blocks.at(box.bottom), Vec3(0.2, -1, 0), 0.5);
  ConeSettings settings;
  settings.tolerance = 1e-7;
  ConeSolver solver;
  sample.solve(solver, settings);
  EXPECT_EQ(solver.factorizations(), 1);
  sample.y.row(0).array() += 1e-4;
  EXPECT_GT(sample.solve(solver, settings).products, 0);
  EXPECT_EQ(solver.factorizations(), 1);
}

// A stiff body whose prediction leaves the floor by little: hardly any row is off by as much as its
// own force moves it, but together the forces would hold the body up in the air.
TEST(ConeNewton, AStiffBodyIsNotHeldInTheAir) {
  const BoxSystem box({10, 2, 10}, Vec3(0.5, 0.1, 0.5), 1e9);
  InverseBlocks blocks(*box.matrix, box.surface);
  ConeSample sample = box_on_floor(box, blocks.at(box.bottom), -Vec3::UnitY(), 0.5);
  ConeSettings settings;
  settings.tolerance = 1e-6;
  settings.rounds = 10;
  ConeSolver solver;
  ASSERT_LE(sample.solve(solver, settings).residual, 1e-6);
  sample.y.row(1).array() += 1e-4;
  ASSERT_LE(sample.solve(solver, settings).residual, 1e-6);
  EXPECT_LT(sample.y.row(1).cwiseAbs().maxCoeff(), 2e-6);
}

// With the weight's share that the slope leaves: forces of a box that slides add up.
TEST(ConeNewton, ABoxSlidesOrSticksAsAWhole) {
  const BoxSystem box({8, 3, 8}, Vec3(0.8, 0.3, 0.8), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface);
  for (const double friction : {0.2, 1.5}) {
    ConeSample sample = box_on_floor(box, blocks.at(box.bottom), Vec3(1, -1, 0), friction);
    ConeSolver solver;
    ASSERT_LE(sample.solve(solver, exact()).residual, 1e-10);
    const Counts counts = expect_coulomb(sample, 1e-8);
    const Vec3 sum = sample.force.rowwise().sum();
    if (friction < 1) {
      EXPECT_EQ(counts.stick, 0);
      EXPECT_NEAR(-sum.x() / sum.y(), friction, 1e-6);
    } else {
      EXPECT_GT(counts.stick, 40);
      EXPECT_LT(-sum.x() / sum.y(), friction);
    }
  }
}

TEST(ConeNewton, HasTheSameBitsOnAnyNumberOfThreadsAndAfterARestart) {
  const BoxSystem box({20, 14, 20}, Vec3(2.0, 1.4, 2.0), 1e6);
  InverseBlocks blocks(*box.matrix, box.surface);
  ConeSettings settings;
  settings.tolerance = 1e-6;
  Points expected;
  ConeSolver used;
  for (const int threads : {1, 2, 5}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    ConeSample sample = box_on_floor(box, blocks.at(box.bottom), Vec3(0.5, -1, 0), 0.3, 2e-5);
    ConeSample again = sample;
    ConeSolver solver;
    sample.solve(solver, settings);
    if (threads == 1) expected = sample.force;
    EXPECT_EQ(sample.force, expected) << threads;
    used.restart();
    again.solve(used, settings);
    EXPECT_EQ(again.force, expected) << threads;
  }
}

}  // namespace
}  // namespace dashpot
