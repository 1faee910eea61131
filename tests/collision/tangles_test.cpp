#include "solver/collision/tangles.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <Eigen/Geometry>

#include <cmath>

#include "solver/collision/surface_detector.h"
#include "tests/collision/surface_samples.h"

namespace dashpot {
namespace {

constexpr double kGapOfTangles = 1e-3;

struct TangledBodies {
  SampleBodies bodies;
  ContactSurface surface;
  Tangles tangles;

  explicit TangledBodies(SampleBodies b)
      : bodies(std::move(b)), surface(bodies.surface()), tangles(surface, {}, kGapOfTangles) {
    tangles.find(bodies.x);
  }
};

SampleBodies two_cubes(int cells, const Vec3& apart, double second = 1) {
  SampleBodies bodies;
  bodies.add_cube(1, cells, Vec3::Zero()).add_cube(second, cells, apart);
  return bodies;
}

// Points of the surface of one cube strictly inside the other.
int points_inside(const TangledBodies& t, const Vec3& apart, double second) {
  int count = 0;
  for (const int p : t.surface.vertices()) {
    const bool first = t.surface.body_of_point(p) == 0;
    const Vec3 from = t.bodies.x.col(p) - (first ? apart : Vec3::Zero().eval());
    count += from.cwiseAbs().maxCoeff() < (first ? second : 1) / 2 - 1e-8;
  }
  return count;
}

TEST(Tangles, FindWhatIsInsideDeepAndShallowAlsoWhereGridsCoincide) {
  for (const Vec3& apart : {Vec3(0.31, 0.42, 0.53), Vec3(0.5, 0.5, 0.5), Vec3(0.25, 0.25, 0.25),
                            Vec3(0.02, 0.99, 0.03), Vec3(0.1, 0.9999, 0.1), Vec3(0, 0.5, 0)}) {
    TangledBodies t(two_cubes(4, apart));
    EXPECT_TRUE(t.tangles.any()) << apart.transpose();
    EXPECT_EQ(t.tangles.inside_count(), points_inside(t, apart, 1)) << apart.transpose();
  }
}

TEST(Tangles, FindABodyThatAnotherEncloses) {
  TangledBodies t(two_cubes(2, Vec3(0.05, 0.02, 0), 0.3));
  EXPECT_EQ(t.tangles.count(), 0);
  EXPECT_EQ(t.tangles.inside_count(), 26);
  EXPECT_EQ(t.tangles.places().size(), 26U);
}

TEST(Tangles, FindEdgesInsideWhenAllPointsAreOnTheSurface) {
  TangledBodies t(two_cubes(1, Vec3(0.5, 0, 0)));
  EXPECT_TRUE(t.tangles.any());
}

TEST(Tangles, AreNotWhatTouches) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const Vec3& at : {Vec3(0, 1, 0), Vec3(0.3, 1, 0.2), Vec3(0.5, 1, 0.5), Vec3(1, 1, 0)}) {
    TangledBodies straight(two_cubes(2, at));
    EXPECT_FALSE(straight.tangles.any()) << at.transpose();
    SampleBodies bodies = two_cubes(2, at);
    bodies.x = (turn * bodies.x).eval();
    TangledBodies turned(bodies);
    EXPECT_FALSE(turned.tangles.any()) << at.transpose() << " turned, up to rounding";
  }
}

TEST(Tangles, AreWhereTheSurfacesCross) {
  const Vec3 apart(0.31, 0.42, 0.53);
  TangledBodies t(two_cubes(3, apart));
  ASSERT_GT(t.tangles.count(), 0);
  const std::vector<Vec3> places = t.tangles.places();
  for (int i = 0; i < t.tangles.count(); ++i) {
    EXPECT_NEAR(places[i].cwiseAbs().maxCoeff(), 0.5, 1e-9);
    EXPECT_NEAR((places[i] - apart).cwiseAbs().maxCoeff(), 0.5, 1e-9);
  }
}

TEST(Tangles, PushEachVertexOutThroughTheNearestFace) {
  const Vec3 apart(0.1, 0.9, 0.13);
  TangledBodies t(two_cubes(4, apart));
  const auto pushes = t.tangles.pushes(t.bodies.x);
  ASSERT_EQ(static_cast<int>(pushes.size()), t.tangles.inside_count());
  ASSERT_GT(pushes.size(), 8U);
  for (const PairStencil& s : pushes) {
    const bool first = t.surface.body_of_point(s.id.first) == 0;
    const Vec3 from = t.bodies.x.col(s.id.first) - (first ? apart : Vec3::Zero().eval());
    EXPECT_NEAR(s.distance, from.cwiseAbs().maxCoeff() - 0.5, 1e-12);
    Vec3 gap = Vec3::Zero();
    for (int k = 0; k < s.count; ++k) gap += s.weight[k] * t.bodies.x.col(s.point[k]);
    EXPECT_NEAR(s.normal.dot(gap), s.distance, 1e-12);
    EXPECT_NEAR(s.normal.norm(), 1, 1e-12);
  }
}

TEST(Tangles, AreIgnoredByTheDetector) {
  SampleBodies bodies = two_cubes(4, Vec3(0.1, 0.9, 0.13));
  TangledBodies t(bodies);
  SurfaceDetector detector(t.surface, {}, kGapOfTangles, t.bodies.x);
  detector.begin(t.bodies.x, t.bodies.x);
  EXPECT_FALSE(detector.find_missed(t.bodies.moved(1, Vec3(0, -0.01, 0))).empty());
  detector.begin(t.bodies.x, t.bodies.x);
  detector.leave_out(t.tangles);
  const Points deeper = t.bodies.moved(1, Vec3(0, -0.01, 0));
  EXPECT_TRUE(detector.find(deeper).empty());
  EXPECT_TRUE(detector.find_missed(deeper).empty());
  EXPECT_EQ(detector.free_share(deeper), 1);
}

TEST(Tangles, OfOnePairDoNotTouchAnother) {
  SampleBodies bodies = two_cubes(2, Vec3(0.1, 0.9, 0.13));
  bodies.add_cube(1, 2, Vec3(0, -1.0005, 0));
  TangledBodies t(bodies);
  SurfaceDetector detector(t.surface, {}, kGapOfTangles, t.bodies.x);
  detector.begin(t.bodies.x, t.bodies.x);
  detector.leave_out(t.tangles);
  EXPECT_GE(detector.find(t.bodies.x).size(), 9U);
}

TEST(Tangles, OfABodyWithItselfAreIgnoredWithinARing) {
  SampleBodies bodies = u_with_flush_rims(2);
  for (int p = 0; p < bodies.x.cols(); ++p)
    if (bodies.x(0, p) > 0.15 && bodies.x(1, p) > 0.15) {
      bodies.x(1, p) -= 0.13;
      bodies.x(2, p) += 0.021;
      bodies.x(0, p) += 0.013;
    }
  TangledBodies t(bodies);
  EXPECT_GT(t.tangles.count(), 0);
  EXPECT_EQ(t.tangles.inside_count(), 0);
  SurfaceDetector detector(t.surface, {}, kGapOfTangles, t.bodies.x);
  Points back = t.bodies.x;
  for (int p = 0; p < back.cols(); ++p)
    if (back(0, p) > 0.205 && back(0, p) < 0.5) back(1, p) += 0.02;
  detector.begin(t.bodies.x, back);
  EXPECT_LT(detector.free_share(back), 1);
  detector.begin(t.bodies.x, back);
  detector.leave_out(t.tangles);
  EXPECT_EQ(detector.free_share(back), 1);
}

TEST(Tangles, AreGoneOnceBodiesAreApart) {
  TangledBodies t(two_cubes(3, Vec3(0.1, 0.9, 0.13)));
  ASSERT_TRUE(t.tangles.any());
  t.tangles.find(t.bodies.moved(1, Vec3(0, 0.2, 0)));
  EXPECT_FALSE(t.tangles.any());
  EXPECT_TRUE(t.tangles.pushes(t.bodies.x).empty());
}

TEST(Tangles, AreTheSameOnAnyNumberOfThreads) {
  const auto run = [](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    SampleBodies bodies;
    bodies.add(make_sphere(0.5, 10), Vec3(0, 0, 0)).add(make_sphere(0.5, 10), Vec3(0.1, 0.7, 0));
    TangledBodies t(bodies);
    return t.tangles.places();
  };
  const auto one = run(1), two = run(2);
  EXPECT_GT(one.size(), 20U);
  EXPECT_EQ(one, two);
}

}  // namespace
}  // namespace dashpot
