// What a system takes over from a former one, and that nothing else comes of it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "solver/linear/global_matrix.h"
#include "tests/linear/spring_network.h"

namespace dashpot {
namespace {

constexpr double kH = 0.1, kOtherH = 0.4;

struct Given {
  Network network = Network(60, 1);
  std::vector<char> pinned = no_pins();
  GlobalPrecision precision = GlobalPrecision::kAutomatic;
  double damping = 0;  // times the stiffness

  GlobalMatrix system(const PreparedMatrix& former = {}) const {
    GlobalMatrix made(network.stiffness, network.mass, network.drag, pinned, precision, former);
    if (damping != 0) made.set_damping(values(network.stiffness, damping));
    return made;
  }
};

PreparedMatrix used(const Given& given) {
  GlobalMatrix system = given.system();
  for (const double h : {kH, kOtherH}) system.select(h);
  return system.prepared();
}

void expect_same_solutions(GlobalMatrix& a, GlobalMatrix& b) {
  RandomNumbers random(6);
  const Points rhs = random.points(60);
  for (const double h : {kH, kOtherH, kH}) {
    a.select(h);
    b.select(h);
    EXPECT_EQ(solve(a, rhs), solve(b, rhs)) << "h = " << h;
    EXPECT_EQ(a.inertia(), b.inertia());
    EXPECT_EQ(a.diagonal(), b.diagonal());
    EXPECT_EQ(a.order().point, b.order().point);
  }
}

void expect_work(const GlobalMatrix& system, int orderings, int factorizations) {
  EXPECT_EQ(system.work().orderings, orderings);
  EXPECT_EQ(system.work().factorizations, factorizations);
}

TEST(PreparedMatrix, AloneASystemOrdersOnceAndFactorsEveryHOnce) {
  GlobalMatrix system = Given().system();
  expect_work(system, 1, 0);
  for (const double h : {kH, kH, kOtherH, kH, kOtherH}) system.select(h);
  expect_work(system, 1, 2);
}

TEST(PreparedMatrix, TheSameMatrixNeedsNothing) {
  const Given given;
  GlobalMatrix heir = given.system(used(given)), fresh = given.system();
  expect_same_solutions(heir, fresh);
  expect_work(heir, 0, 0);
}

struct Edit {
  const char* name;
  std::function<void(Given&)> apply;
  int orderings, factorizations;
};

void scale(GlobalMatrix::Triplets& entries, double by) {
  for (auto& entry : entries) entry = {entry.row(), entry.col(), by * entry.value()};
}

const Edit kEdits[] = {
    {"stiffness", [](Given& g) { scale(g.network.stiffness, 1.5); }, 0, 2},
    {"one mass", [](Given& g) { g.network.mass[41] *= 1.5; }, 0, 2},
    {"one mass, by less than its entry of the matrix resolves",
     [](Given& g) { g.network.mass[41] = std::nextafter(g.network.mass[41], 0); }, 0, 0},
    {"drag", [](Given& g) { g.network.drag[7] = 0; }, 0, 2},
    {"damping", [](Given& g) { g.damping = 0.01; }, 0, 2},
    {"precision", [](Given& g) { g.precision = GlobalPrecision::kSingle; }, 0, 2},
    {"pins", [](Given& g) { g.pinned[30] = 1; }, 1, 2},
    {"connectivity", [](Given& g) { g.network.add(30, 3, -1); }, 1, 2},
};

TEST(PreparedMatrix, AnEditNeedsWhatItChangesAndGivesTheBitsOfAFreshSystem) {
  for (const Edit& edit : kEdits) {
    SCOPED_TRACE(edit.name);
    Given given;
    const PreparedMatrix former = used(given);
    edit.apply(given);
    GlobalMatrix heir = given.system(former), fresh = given.system();
    expect_same_solutions(heir, fresh);
    expect_work(heir, edit.orderings, edit.factorizations);
    EXPECT_EQ(heir.prepared().factors.size(), 2u) << "what does not fit is not kept";
  }
}

TEST(PreparedMatrix, AFormerSystemMayGoOn) {
  Given given;
  GlobalMatrix former = given.system(), alone = given.system();
  former.select(kH);
  scale(given.network.stiffness, 3);
  GlobalMatrix heir = given.system(former.prepared()), fresh = given.system();
  expect_same_solutions(heir, fresh);
  expect_same_solutions(former, alone);
  expect_work(former, 1, 2);
}

TEST(PreparedMatrix, OneThatNeverFactoredLeavesItsOrder) {
  const Given given;
  GlobalMatrix heir = given.system(given.system().prepared()), fresh = given.system();
  expect_same_solutions(heir, fresh);
  expect_work(heir, 0, 2);
}

TEST(PreparedMatrix, StiffnessThatComesBackIsNotFactoredAgain) {
  const Given given;
  GlobalMatrix system = given.system();
  for (const double by : {1.0, 16.0, 1.0}) {
    system.set_stiffness(values(given.network.stiffness, by));
    system.select(kH);
  }
  expect_work(system, 1, 2);
}

// Weights change while a body deforms, but an edit begins at rest again.
TEST(PreparedMatrix, TheFirstFactorOutlivesManyOthers) {
  const Given given;
  GlobalMatrix former = given.system();
  for (const double by : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) {
    former.set_stiffness(values(given.network.stiffness, by));
    former.select(kH);
    if (by > 1) former.select(kOtherH);
  }
  expect_work(former, 1, 11);
  EXPECT_EQ(former.prepared().factors.size(), 3u);
  GlobalMatrix heir = given.system(former.prepared()), fresh = given.system();
  heir.select(kH);
  expect_work(heir, 0, 0);
  expect_same_solutions(heir, fresh);
  expect_work(heir, 0, 1);
}

TEST(PreparedMatrix, AMatrixThatCannotBeFactoredLeavesNothingBehind) {
  const Given given;
  GlobalMatrix system = given.system(), fresh = given.system();
  const auto bad = values(given.network.stiffness, std::numeric_limits<double>::quiet_NaN());
  system.set_stiffness(bad);
  for (int tries = 0; tries < 2; ++tries) EXPECT_THROW(system.select(kH), std::runtime_error);
  GlobalMatrix heir = given.system(system.prepared());
  expect_same_solutions(heir, fresh);
  expect_work(heir, 0, 2);
  system.set_stiffness(values(given.network.stiffness, 1));
  expect_same_solutions(system, fresh);
}

}  // namespace
}  // namespace dashpot
