#include "solver/collision/surface_detector.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "tests/collision/surface_samples.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kGap = 1e-3;

struct Detection {
  SampleBodies bodies;
  ContactSurface surface;
  SurfaceDetector detector;

  explicit Detection(SampleBodies b)
      : bodies(std::move(b)), surface(bodies.surface()), detector(surface, {}, kGap, bodies.x) {}

  std::vector<PairStencil> find(const Points& x) {
    detector.begin(bodies.x, x);
    return detector.find(x);
  }
};

std::set<FeaturePair> kinds(const std::vector<PairStencil>& stencils) {
  std::set<FeaturePair> result;
  for (const PairStencil& s : stencils) result.insert(s.id.kind);
  return result;
}

int count(const std::vector<PairStencil>& stencils, FeaturePair kind) {
  return static_cast<int>(std::count_if(stencils.begin(), stencils.end(),
                                        [&](const PairStencil& s) { return s.id.kind == kind; }));
}

Vec3 gap_of(const PairStencil& s, const Points& before, const Points& x) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < s.count; ++k)
    sum += s.weight[k] *
           (before.col(s.point[k]) + s.time * (x.col(s.point[k]) - before.col(s.point[k])));
  return sum;
}

void expect_sound(const std::vector<PairStencil>& stencils, const Points& before, const Points& x) {
  for (std::size_t i = 0; i < stencils.size(); ++i) {
    const PairStencil& s = stencils[i];
    EXPECT_TRUE(i == 0 || stencils[i - 1].id < s.id);
    EXPECT_NEAR(s.normal.norm(), 1, 1e-12);
    double sum = 0;
    for (int k = 0; k < s.count; ++k) sum += s.weight[k];
    EXPECT_NEAR(sum, 0, 1e-12);
    EXPECT_NEAR(gap_of(s, before, x).norm(), s.distance, 1e-12);
    EXPECT_NEAR(s.normal.dot(gap_of(s, before, x)), s.distance, 1e-8);
  }
}

const Mat3 kOnEdge = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()).toRotationMatrix();
const Mat3 kOnCorner =
    Eigen::Quaterniond::FromTwoVectors(Vec3(-1, -1, -1).normalized(), -Vec3::UnitY())
        .toRotationMatrix();
const double kEdgeReach = std::sqrt(0.5), kCornerReach = std::sqrt(0.75);

// The second cube above the first, `apart` from it.
SampleBodies cube_over(const Mat3& below, double reach_below, const Mat3& above, double reach_above,
                       const Vec3& aside, double apart) {
  SampleBodies bodies;
  bodies.add_cube(1, 1, Vec3::Zero(), below)
      .add_cube(1, 1, Vec3(0, reach_below + reach_above + apart, 0) + aside, above);
  return bodies;
}

struct Arrangement {
  const char* name;
  SampleBodies bodies;
  FeaturePair kind;
};

std::vector<Arrangement> arrangements(double apart) {
  const Mat3 flat = Mat3::Identity();
  const Mat3 across = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()).toRotationMatrix();
  return {
      {"corner on face", cube_over(flat, 0.5, kOnCorner, kCornerReach, Vec3(0.1, 0, 0.23), apart),
       FeaturePair::kVertexFace},
      {"corner on edge",
       cube_over(kOnEdge, kEdgeReach, kOnCorner, kCornerReach, Vec3(0.1, 0, 0), apart),
       FeaturePair::kVertexEdge},
      {"corner on corner",
       cube_over(kOnCorner.transpose() * kOnCorner *
                     Mat3(Eigen::AngleAxisd(M_PI, Vec3::UnitX()) * kOnCorner),
                 kCornerReach, kOnCorner, kCornerReach, Vec3::Zero(), apart),
       FeaturePair::kVertexVertex},
      {"crossed edges",
       cube_over(kOnEdge, kEdgeReach, across * kOnEdge, kEdgeReach, Vec3(0.1, 0, 0.07), apart),
       FeaturePair::kEdgeEdge},
      {"parallel edges",
       cube_over(kOnEdge, kEdgeReach, kOnEdge, kEdgeReach, Vec3(0.3, 0, 0), apart),
       FeaturePair::kVertexEdge},
      {"face on face", cube_over(flat, 0.5, flat, 0.5, Vec3(0.3, 0, 0.2), apart),
       FeaturePair::kVertexFace},
      {"flush", cube_over(flat, 0.5, flat, 0.5, Vec3::Zero(), apart), FeaturePair::kVertexVertex},
  };
}

TEST(SurfaceDetector, FindsTheFeaturesThatMeetWithUprightNormals) {
  for (const double apart : {0.9 * kGap, 0.3 * kGap}) {
    for (const Arrangement& a : arrangements(apart)) {
      Detection d(a.bodies);
      const auto found = d.find(d.bodies.x);
      EXPECT_EQ(kinds(found).count(a.kind), 1U) << a.name << " " << apart;
      expect_sound(found, d.bodies.x, d.bodies.x);
      for (const PairStencil& s : found) {
        EXPECT_NEAR(std::abs(s.normal[1]), 1, 1e-3) << a.name;
        EXPECT_NEAR(s.distance, apart, 1e-3 * apart) << a.name;
      }
    }
  }
}

// Beside an edge or a vertex of a flat face, all triangles around are near, each at another place;
// only the face below carries.
TEST(SurfaceDetector, LeavesOutFeaturesThatAFaceBesideThemIsNearerThan) {
  for (const int cells : {1, 2})
    for (const double angle : {0.3, 1.1, 2.0, 2.9, 3.9, 5.0}) {
      SampleBodies bodies;
      const Vec3 aside = 0.6 * kGap * Vec3(std::cos(angle), 0, std::sin(angle));
      bodies.add_cube(1, cells, Vec3::Zero())
          .add_cube(1, 1, Vec3(0, 0.5 + kCornerReach + 0.9 * kGap, 0) + aside, kOnCorner);
      Detection d(bodies);
      const auto found = d.find(d.bodies.x);
      ASSERT_EQ(found.size(), 1U) << cells << " cells, at " << angle;
      EXPECT_EQ(found[0].id.kind, FeaturePair::kVertexFace);
    }
}

TEST(SurfaceDetector, FindsWhatGoesThroughAtTheMomentThatItWasNear) {
  for (const Arrangement& a : arrangements(0.2)) {
    Detection d(a.bodies);
    const Points x = d.bodies.moved(1, Vec3(0, -0.6, 0));
    const auto found = d.find(x);
    EXPECT_EQ(kinds(found).count(a.kind), 1U) << a.name;
    expect_sound(found, d.bodies.x, x);
    const auto first = std::min_element(found.begin(), found.end(),
                                        [](auto& s, auto& t) { return s.time < t.time; });
    ASSERT_NE(first, found.end()) << a.name;
    EXPECT_NEAR(first->time, (0.2 - kGap / 2) / 0.6, 1e-3) << a.name;
    EXPECT_NEAR(std::abs(first->normal[1]), 1, 1e-2) << a.name;
  }
}

// Of a stencil, the direction in which it keeps the body above.
double upward(const Detection& d, const PairStencil& s) {
  const bool is_above = s.point[0] >= d.bodies.first_point[1];
  return is_above ? s.normal[1] : -s.normal[1];
}

// Edges and vertices of a flat face are no obstacles to what glides over them, however low.
TEST(SurfaceDetector, WhatGlidesOverAFaceIsCarriedUpright) {
  for (const double turn : {0.0, 0.3})
    for (const double sinks : {0.3, 0.5}) {
      const Mat3 turned = Eigen::AngleAxisd(turn, Vec3::UnitY()).toRotationMatrix();
      SampleBodies bodies;
      bodies.add_cube(1, 5, Vec3::Zero())
          .add_cube(0.3, 2, Vec3(-0.2, 0.65 + 0.7 * kGap, 0.03), turned);
      Detection d(bodies);
      const Points x = d.bodies.moved(1, Vec3(0.25, -sinks * kGap, 0.02));
      d.detector.begin(d.bodies.x, x);
      for (const bool thorough : {false, true}) {
        const auto found = d.detector.find(x, nullptr, thorough);
        EXPECT_FALSE(found.empty());
        for (const PairStencil& s : found) EXPECT_NEAR(upward(d, s), 1, 1e-3) << sinks;
      }
    }
}

// A place that a solver tries is inside, through one face: others do not hold it there.
TEST(SurfaceDetector, NothingIsHeldInside) {
  SampleBodies bodies;
  bodies.add_cube(1, 5, Vec3::Zero())
      .add_cube(0.1, 1, Vec3(-0.2, 0.5 + 0.1 * kCornerReach + 0.8 * kGap, 0.03), kOnCorner);
  Detection d(bodies);
  const Points x = d.bodies.moved(1, Vec3(0.3, -0.02, 0.02));
  d.detector.begin(d.bodies.x, x);
  for (const auto& found : {d.detector.find(x, nullptr, true), d.detector.find_missed(x)}) {
    EXPECT_FALSE(found.empty());
    for (const PairStencil& s : found) EXPECT_GT(upward(d, s), -0.1);
  }
}

TEST(SurfaceDetector, CubesThatTouchAtTheBeginHaveUprightNormals) {
  for (const Vec3& aside :
       {Vec3(0, 0, 0), Vec3(0.25, 0, 0.25), Vec3(0.5, 0, 0), Vec3(0.3, 0, 0.2)}) {
    SampleBodies bodies;
    bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, Vec3(0, 1, 0) + aside);
    Detection d(bodies);
    const auto found = d.find(d.bodies.x);
    EXPECT_GE(found.size(), 4U);
    for (const PairStencil& s : found) {
      EXPECT_LT(s.distance, 1e-15);
      const double side = d.surface.body_of_point(s.point[0]) == 1 ? 1 : -1;
      EXPECT_NEAR(side * s.normal[1], 1, 1e-9)
          << aside.transpose() << " kind " << static_cast<int>(s.id.kind);
    }
  }
}

TEST(SurfaceDetector, FlushCubesThatTouchAreCarriedByAllVerticesOfTheRim) {
  SampleBodies bodies;
  bodies.add_cube(1, 3, Vec3::Zero()).add_cube(1, 3, Vec3(0, 1, 0));
  Detection d(bodies);
  EXPECT_EQ(count(d.find(d.bodies.x), FeaturePair::kVertexVertex), 16);
}

TEST(SurfaceDetector, MissesNothingThatPassesThroughATouch) {
  SampleBodies bodies;
  bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, Vec3(0.2, 1, 0.3));
  Detection d(bodies);
  const Points down = d.bodies.moved(1, Vec3(0, -0.1, 0)), up = d.bodies.moved(1, Vec3(0, 0.1, 0));
  d.detector.begin(d.bodies.x, down);
  EXPECT_FALSE(d.detector.find_missed(down).empty());
  EXPECT_EQ(d.detector.free_share(down), 0);
  d.detector.begin(d.bodies.x, up);
  EXPECT_TRUE(d.detector.find_missed(up).empty());
  EXPECT_EQ(d.detector.free_share(up), 1);
}

TEST(SurfaceDetector, FindsBodiesThatTunnelAtTwoMetresPerStep) {
  SampleBodies bodies;
  bodies.add(make_sphere(0.3, 6), Vec3(-1, 0.1, 0)).add(make_sphere(0.3, 6), Vec3(0, 0, 0));
  Detection d(bodies);
  const Points x = d.bodies.moved(0, Vec3(2, 0, 0));
  const auto found = d.find(x);
  ASSERT_FALSE(found.empty());
  double earliest = 1;
  for (const PairStencil& s : found) earliest = std::min(earliest, s.time);
  const double touch = (1 - std::sqrt(0.36 - 0.01)) / 2;
  EXPECT_NEAR(earliest, touch, 0.02) << "of round spheres";
  EXPECT_LT(d.detector.free_share(x), touch + 0.02);
  EXPECT_FALSE(d.detector.find_missed(x).empty());
}

TEST(SurfaceDetector, FreeShareEndsBeforeAnythingIsNear) {
  for (const Arrangement& a : arrangements(0.2)) {
    Detection d(a.bodies);
    const Points x = d.bodies.moved(1, Vec3(0, -0.6, 0));
    d.detector.begin(d.bodies.x, x);
    const double share = d.detector.free_share(x);
    EXPECT_NEAR(share, (0.2 - kGap / 100) / 0.6, 1e-4) << a.name;
    EXPECT_GE(0.2 - 0.6 * share, kGap / 100 * (1 - 1e-6)) << a.name;
  }
}

// A corner crosses a face that meanwhile tilts from one side to the other: on straight paths they
// are nearest half way.
TEST(SurfaceDetector, WhatOnlyGrazesOnTheWayIsFoundWhereItEnds) {
  constexpr double kTilt = 0.0333, kAside = 0.03;
  const auto tilted = [](double angle, double aside) {
    SampleBodies bodies;
    bodies.add_cube(1, 1, Vec3::Zero(), Eigen::AngleAxisd(angle, Vec3::UnitZ()).toRotationMatrix());
    const double height = 0.5 * std::cos(kTilt) + 0.3 * kGap;
    bodies.add_cube(1, 1, Vec3(aside, height + kCornerReach, 0.1), kOnCorner);
    return bodies;
  };
  Detection d(tilted(-kTilt, kAside));
  const Points x = tilted(kTilt, -kAside).x;
  const auto found = d.find(x);
  ASSERT_EQ(count(found, FeaturePair::kVertexFace), 1);
  EXPECT_EQ(found.front().time, 1);
  expect_sound(found, d.bodies.x, x);
  Points half = 0.5 * (d.bodies.x + x);
  d.detector.begin(d.bodies.x, half);
  ASSERT_FALSE(d.detector.find(half).empty());
  EXPECT_LT(d.detector.find(half).front().distance, 0.55 * kGap) << "it does come near";
}

TEST(SurfaceDetector, FindsWhatPressedBeforeWhereverItIsNear) {
  SampleBodies bodies;
  bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, Vec3(0.1, 1 + 0.5 * kGap, 0.2));
  Detection d(bodies);
  const Points x = d.bodies.moved(1, Vec3(0, -0.3 * kGap, 0));
  const auto usual = d.find(x), thorough = d.detector.find(x, nullptr, true);
  const auto has = [](const std::vector<PairStencil>& all, const FeaturePairId& id) {
    return std::any_of(all.begin(), all.end(), [&](const PairStencil& s) { return s.id == id; });
  };
  const auto flat = std::find_if(thorough.begin(), thorough.end(),
                                 [&](const auto& s) { return !has(usual, s.id); });
  ASSERT_NE(flat, thorough.end()) << "edges within faces";
  d.detector.keep({flat->id});
  EXPECT_TRUE(has(d.detector.find(x), flat->id));
  EXPECT_EQ(d.detector.find(x).size(), usual.size() + 1);
  EXPECT_FALSE(has(d.find(x), flat->id)) << "until it begins again";
}

// The slot closes evenly, as far as the arms bend in one step: the rims are flush.
TEST(SurfaceDetector, FindsFlushRimsOfABodyThatClosesOnItself) {
  for (const int deep : {1, 2, 3}) {
    Detection d(u_with_flush_rims(deep));
    Points x = d.bodies.x;
    for (int p = 0; p < x.cols(); ++p)
      if (x(0, p) > 0.15 && x(1, p) > 0.15) x(1, p) -= 0.1 + 0.5 * kGap;
    const auto found = d.find(x);
    expect_sound(found, d.bodies.x, x);
    EXPECT_GE(count(found, FeaturePair::kVertexVertex), 2 * (deep + 1));
    for (const PairStencil& s : found) EXPECT_GT(std::abs(s.normal[1]), 0.9);
  }
}

TEST(SurfaceDetector, FindsNothingWhereNothingIsNear) {
  SampleBodies bodies;
  bodies.add_cube(1, 3, Vec3::Zero()).add_cube(1, 3, Vec3(0, 2, 0));
  Detection d(bodies);
  EXPECT_TRUE(d.find(d.bodies.x).empty());
  EXPECT_FALSE(d.detector.any());
  EXPECT_EQ(d.detector.free_share(d.bodies.x), 1);
}

TEST(SurfaceDetector, GivesOnePointOfEachSideOfItsCandidates) {
  SampleBodies bodies;
  bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, Vec3(0, 1.001, 0));
  Detection d(bodies);
  d.detector.begin(d.bodies.x, d.bodies.x);
  ASSERT_TRUE(d.detector.any());
  for (const auto& [a, b] : d.detector.candidates())
    EXPECT_NE(d.surface.body_of_point(a), d.surface.body_of_point(b));
}

TEST(SurfaceDetector, IsTheSameOnAnyNumberOfThreads) {
  SampleBodies bodies;
  bodies.add(make_sphere(0.5, 12), Vec3(0, 0, 0)).add(make_sphere(0.5, 12), Vec3(0.1, 1.01, 0));
  const Points x = bodies.moved(1, Vec3(0.05, -0.1, 0));
  const auto run = [&](std::size_t threads) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    Detection d(bodies);
    return d.find(x);
  };
  const auto one = run(1), two = run(2);
  ASSERT_EQ(one.size(), two.size());
  ASSERT_GT(one.size(), 10U);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(one[i].id == two[i].id);
    EXPECT_EQ(one[i].weight, two[i].weight);
    EXPECT_EQ(one[i].normal, two[i].normal);
    EXPECT_EQ(one[i].time, two[i].time);
  }
}

}  // namespace
}  // namespace dashpot
