#include "solver/contact/coulomb_cone.h"

#include <gtest/gtest.h>

#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

struct ConeCase {
  Vec3 normal, p;
  double friction;
  ConeProjection projection() const { return project_on_cone(normal, friction, p); }
};

std::vector<ConeCase> random_cases(int count) {
  RandomNumbers random(21);
  std::vector<ConeCase> cases;
  cases.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    cases.push_back({random.vector().normalized(), random.vector(), random.between(0.05, 2)});
  return cases;
}

Vec3 random_in_cone(const ConeCase& cone, RandomNumbers& random) {
  const double pressure = random.between(0, 2);
  const Vec3 along = cone.normal.cross(random.vector()).normalized();
  return pressure * (cone.normal + cone.friction * random.between(0, 1) * along);
}

TEST(CoulombCone, TheProjectionIsTheNearestPointOfTheCone) {
  RandomNumbers random(4);
  for (const ConeCase& cone : random_cases(300)) {
    const Vec3 force = cone.projection().force;
    const double pressure = cone.normal.dot(force);
    ASSERT_LE((force - pressure * cone.normal).norm(), cone.friction * pressure + 1e-14);
    for (int k = 0; k < 100; ++k)
      ASSERT_GE((random_in_cone(cone, random) - cone.p).norm(), (force - cone.p).norm() - 1e-14);
    for (const double near : {0.999, 1.001})
      EXPECT_GE((near * force - cone.p).norm(), (force - cone.p).norm() - 1e-14);
  }
}

TEST(CoulombCone, EachStatusOccursAndIsWhatItSays) {
  int seen[3] = {};
  for (const ConeCase& cone : random_cases(300)) {
    const ConeProjection projection = cone.projection();
    ++seen[static_cast<int>(projection.status)];
    if (projection.status == ConeStatus::kOpen) {
      EXPECT_EQ(projection.force, Vec3::Zero());
    }
    if (projection.status == ConeStatus::kStick) {
      EXPECT_EQ(projection.force, cone.p);
    }
    if (projection.status == ConeStatus::kSlide) {
      EXPECT_LT((projection.force.normalized() - projection.generator).norm(), 1e-14);
      EXPECT_LT(std::abs(projection.side.dot(projection.generator)), 1e-14);
      EXPECT_NEAR(projection.side.norm(), 1, 1e-14);
    }
  }
  for (const int count : seen) EXPECT_GT(count, 20);
}

TEST(CoulombCone, TheDerivativeIsThatOfFiniteDifferences) {
  constexpr double kStep = 1e-6;
  RandomNumbers random(8);
  for (const ConeCase& cone : random_cases(300)) {
    const ConeProjection projection = cone.projection();
    const Vec3 v = random.vector();
    ConeCase plus = cone, minus = cone;
    plus.p += kStep * v;
    minus.p -= kStep * v;
    if (plus.projection().status != minus.projection().status) continue;
    const Vec3 difference = (plus.projection().force - minus.projection().force) / (2 * kStep);
    EXPECT_LT((projection.derivative(v) - difference).norm(), 1e-6);
  }
}

TEST(CoulombCone, UnprojectInvertsTheDerivativeInItsRange) {
  RandomNumbers random(9);
  for (const ConeCase& cone : random_cases(300)) {
    const ConeProjection projection = cone.projection();
    const Vec3 v = projection.in_range(random.vector());
    EXPECT_LT((projection.in_range(v) - v).norm(), 1e-14);
    EXPECT_LT((projection.derivative(projection.unproject(v)) - v).norm(), 1e-12);
  }
}

TEST(CoulombCone, WithoutFrictionOnlyTheNormalIsLeft) {
  RandomNumbers random(10);
  for (int i = 0; i < 50; ++i) {
    const Vec3 normal = random.vector().normalized(), p = random.vector(), v = random.vector();
    const ConeProjection projection = project_on_cone(normal, 0, p);
    EXPECT_LT((projection.force - std::max(0.0, normal.dot(p)) * normal).norm(), 1e-15);
    const bool presses = normal.dot(p) > 0;
    EXPECT_LT((projection.in_range(v) - (presses ? normal.dot(v) : 0) * normal).norm(), 1e-15);
  }
  const Vec3 up = Vec3::UnitZ();
  EXPECT_EQ(project_on_cone(up, 0, up).in_range(Vec3(1, 2, 3)), 3 * up);
}

}  // namespace
}  // namespace dashpot
