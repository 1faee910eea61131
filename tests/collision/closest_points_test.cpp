#include "solver/collision/closest_points.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/collision/additive_ccd.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

double sampled_distance(Primitives kind, const FourPoints& p) {
  constexpr int kSteps = 120;
  double least = 1e300;
  for (int i = 0; i <= kSteps; ++i)
    for (int j = 0; j <= kSteps; ++j) {
      const double s = double(i) / kSteps, t = double(j) / kSteps;
      if (kind == Primitives::kEdgeEdge)
        least = std::min(least, (p[0] + s * (p[1] - p[0]) - p[2] - t * (p[3] - p[2])).norm());
      else if (s + t <= 1)
        least = std::min(least, (p[0] - p[1] - s * (p[2] - p[1]) - t * (p[3] - p[1])).norm());
    }
  return least;
}

class ClosestPoints : public testing::TestWithParam<Primitives> {};

TEST_P(ClosestPoints, AreAsNearAsTheNearestOfManySamples) {
  RandomNumbers random(3);
  for (int trial = 0; trial < 60; ++trial) {
    FourPoints p;
    for (Vec3& q : p) q = random.vector();
    const double distance = separation(GetParam(), p).norm(),
                 sampled = sampled_distance(GetParam(), p);
    EXPECT_LE(distance, sampled + 1e-12);
    EXPECT_GT(distance, sampled - 0.03);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, ClosestPoints,
                         testing::Values(Primitives::kVertexTriangle, Primitives::kEdgeEdge));

TEST(ClosestOnTriangle, NamesThePartThatIsNearest) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  const auto part = [&](const Vec3& p) { return closest_on_triangle(p, a, b, c); };
  EXPECT_EQ(part({0.2, 0.2, 1}).part, TrianglePart::kFace);
  const Vec3 off_corner[] = {{-1, -1, 1}, {3, -1, 1}, {-1, 3, 1}};
  const Vec3 off_edge[] = {{1, 1, 1}, {-1, 0.5, 1}, {0.5, -1, 1}};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(part(off_corner[k]).part, TrianglePart::kCorner);
    EXPECT_EQ(part(off_corner[k]).number, k);
    EXPECT_EQ(part(off_edge[k]).part, TrianglePart::kEdge);
    EXPECT_EQ(part(off_edge[k]).number, k);
    EXPECT_EQ(part(off_edge[k]).weight[k], 0);
    EXPECT_NEAR(part(off_edge[k]).weight.sum(), 1, 1e-15);
  }
}

TEST(ClosestOnTriangle, WithoutAreaIsItsEdges) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0.5, 0, 0);
  const Vec3 weight = closest_on_triangle({0.25, 2, 0}, a, b, c).weight;
  EXPECT_NEAR((weight[0] * a + weight[1] * b + weight[2] * c - Vec3(0.25, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR(closest_on_triangle({3, 4, 0}, a, a, a).weight.sum(), 1, 1e-15);
}

TEST(ClosestOnEdges, OfParallelEdgesIsTheMiddleOfTheOverlap) {
  const FourPoints p = {Vec3(0, 0, 0), Vec3(4, 0, 0), Vec3(6, 1, 0), Vec3(2, 1, 0)};
  const ClosestOnEdges on = closest_on_edges(p);
  EXPECT_NEAR(on.first, 0.75, 1e-12);
  EXPECT_NEAR(on.second, 0.75, 1e-12);
  EXPECT_EQ(on.sine_squared, 0);
}

TEST(ClosestOnEdges, OfParallelEdgesPastEachOtherAreTheEnds) {
  const FourPoints p = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(3, 1, 0), Vec3(2, 1, 0)};
  EXPECT_NEAR(separation(Primitives::kEdgeEdge, p).norm(), std::sqrt(2.0), 1e-12);
}

TEST(ClosestOnEdges, StayAccurateWhileEdgesTurnParallel) {
  for (double angle = 1; angle > 1e-12; angle /= 3) {
    const FourPoints p = {Vec3(-1, 0, 0), Vec3(1, 0, 0),
                          Vec3(-std::cos(angle), 0.5, -std::sin(angle)),
                          Vec3(std::cos(angle), 0.5, std::sin(angle))};
    EXPECT_NEAR(separation(Primitives::kEdgeEdge, p).norm(), 0.5, 1e-9) << angle;
  }
}

TEST(ClosestOnEdges, WithoutLengthArePoints) {
  const Vec3 o(0, 0, 0), e(0, 1, 0);
  EXPECT_EQ(separation(Primitives::kEdgeEdge, {o, o, e, e}).norm(), 1);
  EXPECT_EQ(separation(Primitives::kEdgeEdge, {Vec3(-1, 0, 0), Vec3(1, 0, 0), e, e}).norm(), 1);
  EXPECT_EQ(separation(Primitives::kEdgeEdge, {e, e, Vec3(-1, 0, 0), Vec3(1, 0, 0)}).norm(), 1);
}

}  // namespace
}  // namespace dashpot
