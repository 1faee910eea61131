#include "solver/collision/additive_ccd.h"

#include <gtest/gtest.h>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

// First sample that is nearer than limit.
double sampled_time(const PairPath& path, double limit) {
  constexpr int kSteps = 4000;
  for (int i = 0; i <= kSteps; ++i) {
    const double time = double(i) / kSteps;
    if (separation(path.kind, path.at(time)).norm() < limit) return time;
  }
  return kNever;
}

void expect_in_time(const PairPath& path, double limit) {
  const double time = time_of_contact(path, limit), sampled = sampled_time(path, limit);
  EXPECT_LE(time, sampled);
  if (time > 1) return;
  EXPECT_LE(separation(path.kind, path.at(time)).norm(), 1.0501 * limit);
}

class TimeOfContact : public testing::TestWithParam<Primitives> {};

TEST_P(TimeOfContact, IsNeverLateAndNeverFarAwayOnRandomMotions) {
  RandomNumbers random(11);
  int hits = 0;
  for (int trial = 0; trial < 300; ++trial) {
    PairPath path{GetParam(), {}, {}};
    for (int i = 0; i < 4; ++i) {
      path.begin[i] = random.vector();
      path.end[i] = random.vector();
    }
    const double limit = 0.2 * separation(path.kind, path.begin).norm();
    expect_in_time(path, limit);
    hits += time_of_contact(path, limit) <= 1;
  }
  EXPECT_GT(hits, 50);
  EXPECT_LT(hits, 250);
}

// Sliding by at 1.2 times the limit, a thousand limits long.
TEST_P(TimeOfContact, LetsGrazingMotionsPass) {
  RandomNumbers random(5);
  constexpr double kLimit = 1e-3;
  for (int trial = 0; trial < 100; ++trial) {
    PairPath path{GetParam(), {}, {}};
    const int split = GetParam() == Primitives::kVertexTriangle ? 1 : 2;
    const Vec3 slide(random.next(), random.next(), 0);
    for (int i = 0; i < 4; ++i) {
      path.begin[i] = Vec3(random.next(), random.next(), i < split ? 1.2 * kLimit : 0);
      path.end[i] = path.begin[i] + (i < split ? slide : Vec3::Zero());
    }
    EXPECT_EQ(time_of_contact(path, kLimit), kNever);
  }
}

// A tilted motion that ends a hundredth of the limit beyond it.
TEST_P(TimeOfContact, FindsGrazingMotionsThatDipIn) {
  RandomNumbers random(6);
  constexpr double kLimit = 1e-3;
  for (int trial = 0; trial < 100; ++trial) {
    PairPath path{GetParam(), {}, {}};
    const int split = GetParam() == Primitives::kVertexTriangle ? 1 : 2;
    for (int i = 0; i < 4; ++i) {
      path.begin[i] = Vec3(random.next(), random.next(), i < split ? 2 * kLimit : 0);
      path.end[i] = path.begin[i] +
                    Vec3(0.3 * random.next(), 0.3 * random.next(), i < split ? -1.01 * kLimit : 0);
    }
    expect_in_time(path, kLimit);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, TimeOfContact,
                         testing::Values(Primitives::kVertexTriangle, Primitives::kEdgeEdge));

TEST(TimeOfContactHeadOn, IsWhereTheDistanceIsTheLimit) {
  PairPath path{Primitives::kVertexTriangle,
                {Vec3(0.2, 0.2, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)},
                {}};
  path.end = path.begin;
  path.end[0][2] = -1;
  const double time = time_of_contact(path, 0.1);
  EXPECT_LE(time, 0.45);
  EXPECT_GE(time, 0.4475) << "5 % of the limit early at most";
}

TEST(TimeOfContactHeadOn, IsZeroForWhatBeginsThatNear) {
  PairPath path{Primitives::kEdgeEdge,
                {Vec3(-1, 0, 0), Vec3(1, 0, 0), Vec3(0, -1, 0.1), Vec3(0, 1, 0.1)},
                {}};
  path.end = path.begin;
  EXPECT_EQ(time_of_contact(path, 0.1), 0);
  EXPECT_EQ(time_of_contact(path, 0.05), kNever) << "at rest";
}

}  // namespace
}  // namespace dashpot
