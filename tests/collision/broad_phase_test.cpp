#include "solver/collision/broad_phase.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>

#include "solver/collision/affine_motion.h"
#include "tests/collision/surface_samples.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kReach = 0.02;

bool share_point(const ContactSurface& surface, const CandidatePair& pair) {
  if (pair.kind == Primitives::kVertexTriangle)
    return has_point(surface.triangles()[pair.second], pair.first);
  const Edge &d = surface.edges()[pair.first], &e = surface.edges()[pair.second];
  return has_point(e, d[0]) || has_point(e, d[1]);
}

// All pairs that come nearer than the reach on the way, by additive CCD of each.
std::vector<CandidatePair> brute_force(const ContactSurface& surface, const Points& before,
                                       const Points& x) {
  std::vector<CandidatePair> near;
  const auto look = [&](const CandidatePair& pair) {
    if (share_point(surface, pair)) return;
    const PairPath path{pair.kind, four_points(surface, pair, before),
                        four_points(surface, pair, x)};
    if (time_of_contact(path, kReach) <= 1) near.push_back(pair);
  };
  for (const int v : surface.vertices())
    for (int t = 0; t < static_cast<int>(surface.triangles().size()); ++t)
      look({Primitives::kVertexTriangle, v, t, 0});
  for (int d = 0; d < static_cast<int>(surface.edges().size()); ++d)
    for (int e = d + 1; e < static_cast<int>(surface.edges().size()); ++e)
      look({Primitives::kEdgeEdge, d, e, 0});
  return near;
}

struct Pile {
  SampleBodies bodies;
  Points guess;

  explicit Pile(int seed) {
    RandomNumbers random(seed);
    for (int b = 0; b < 3; ++b)
      bodies.add_cube(
          1, 4, 0.4 * random.vector() + Vec3(0, 0.9 * b, 0),
          Eigen::AngleAxisd(random.next() * 3, random.vector().normalized()).toRotationMatrix());
    guess = bodies.x + 0.1 * random.points(static_cast<int>(bodies.x.cols()));
    guess.colwise() += 0.2 * random.vector();
  }
};

TEST(BroadPhase, MissesNothingOnTheWayToWhatItCovers) {
  for (int seed = 1; seed <= 3; ++seed) {
    Pile pile(seed);
    const ContactSurface surface = pile.bodies.surface();
    const PairRules rules;
    BroadPhase search(surface, rules, kReach, pile.bodies.x);
    const auto found = search.search(pile.bodies.x, pile.guess);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    RandomNumbers random(seed + 50);
    Points x = pile.guess;
    for (int p = 0; p < x.cols(); ++p)
      x.col(p) += 0.1 * random.next() * (pile.guess.col(p) - pile.bodies.x.col(p));
    ASSERT_TRUE(search.covers(pile.bodies.x, pile.guess));
    ASSERT_TRUE(search.covers(pile.bodies.x, x));
    const auto near = brute_force(surface, pile.bodies.x, x);
    EXPECT_GT(near.size(), 100U);
    for (const CandidatePair& pair : near)
      EXPECT_TRUE(std::binary_search(found.begin(), found.end(), pair))
          << static_cast<int>(pair.kind) << " " << pair.first << " " << pair.second;
  }
}

TEST(BroadPhase, FindsEachPairOnceAndNoneThatShareAVertex) {
  Pile pile(4);
  const ContactSurface surface = pile.bodies.surface();
  const PairRules rules;
  const auto found =
      BroadPhase(surface, rules, kReach, pile.bodies.x).search(pile.bodies.x, pile.guess);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_FALSE(share_point(surface, found[i]));
    EXPECT_TRUE(i == 0 || found[i - 1] < found[i]);
  }
}

TEST(BroadPhase, DoesNotCoverWhatLeavesItsBoxes) {
  Pile pile(5);
  const ContactSurface surface = pile.bodies.surface();
  const PairRules rules;
  BroadPhase search(surface, rules, kReach, pile.bodies.x);
  search.search(pile.bodies.x, pile.guess);
  EXPECT_TRUE(search.covers(pile.bodies.x, pile.bodies.x));
  Points x = pile.guess;
  x.col(surface.vertices()[5]) += Vec3(0, 3, 0);
  EXPECT_FALSE(search.covers(pile.bodies.x, x));
}

TEST(BroadPhase, DoesNotCoverABodyThatGoesElsewhereAsAWhole) {
  SampleBodies bodies;
  bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, Vec3(0, 3, 0));
  const ContactSurface surface = bodies.surface();
  const PairRules rules;
  BroadPhase search(surface, rules, kReach, bodies.x);
  search.search(bodies.x, bodies.moved(1, Vec3(0, -0.5, 0)));
  EXPECT_TRUE(search.covers(bodies.x, bodies.moved(1, Vec3(0, -0.7, 0))));
  EXPECT_FALSE(search.covers(bodies.x, bodies.moved(1, Vec3(0, -2.5, 0))));
}

// A single body far from itself, however it flies and spins.
TEST(BroadPhase, ABodyThatFliesAndSpinsHasNoCandidatesWithItself) {
  SampleBodies bodies;
  bodies.add_cube(1, 4, Vec3(5, 0, 0));
  const ContactSurface surface = bodies.surface();
  const Mat3 turn = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Points guess = (turn * (bodies.x.colwise() - Vec3(5, 0, 0))).colwise() + Vec3(3, 7, 1);
  const PairRules rules;
  BroadPhase search(surface, rules, 1e-4, bodies.x);
  EXPECT_TRUE(search.search(bodies.x, guess).empty());
  EXPECT_TRUE(search.covers(bodies.x, guess));
}

TEST(BroadPhase, BodiesThatFallTogetherHaveNoCandidates) {
  SampleBodies bodies;
  bodies.add_cube(1, 2, Vec3::Zero()).add_cube(1, 2, Vec3(0, 1.2, 0));
  const ContactSurface surface = bodies.surface();
  const PairRules rules;
  BroadPhase search(surface, rules, kReach, bodies.x);
  const Points fallen = bodies.x.colwise() - Vec3(0, 5, 0);
  EXPECT_TRUE(search.search(bodies.x, fallen).empty());
  EXPECT_TRUE(search.covers(bodies.x, fallen));
  Points met = fallen;
  met.rightCols(met.cols() / 2).colwise() -= Vec3(0, 0.3, 0);
  EXPECT_FALSE(search.covers(bodies.x, met));
}

TEST(BroadPhase, DoesNotCoverABodyThatWasLeftOutAndComesNearItself) {
  const SampleBodies bodies = u_with_flush_rims(2);
  Points closed = bodies.x;
  for (int p = 0; p < closed.cols(); ++p)
    if (bodies.x(1, p) > 0.15) closed(1, p) -= 0.095 * std::min(1.0, bodies.x(0, p) / 0.1);
  const ContactSurface surface = bodies.surface();
  const PairRules rules;
  BroadPhase search(surface, rules, kReach, bodies.x);
  EXPECT_TRUE(search.search(bodies.x, bodies.x, {1}).empty());
  EXPECT_TRUE(search.covers(bodies.x, bodies.x));
  EXPECT_FALSE(search.covers(bodies.x, closed));
  EXPECT_FALSE(search.search(bodies.x, closed).empty());
  EXPECT_TRUE(search.covers(bodies.x, closed));
}

TEST(BroadPhase, ObeysTheRules) {
  SampleBodies bodies;
  bodies.add_cube(1, 1, Vec3::Zero()).add_cube(1, 1, Vec3(0, 1.001, 0));
  const ContactSurface surface = bodies.surface();
  const auto count = [&](const PairRules& rules) {
    return BroadPhase(surface, rules, 0.01, bodies.x).search(bodies.x, bodies.x).size();
  };
  PairRules rules;
  const std::size_t all = count(rules);
  EXPECT_GT(all, 0U);
  rules.fixed.assign(16, 0);
  for (int p = 0; p < 8; ++p) rules.fixed[p] = 1;
  EXPECT_EQ(count(rules), all) << "one side moves";
  rules.fixed.assign(16, 1);
  EXPECT_EQ(count(rules), 0U);
  rules.fixed.clear();
  rules.between = {1, 0, 0, 1};
  EXPECT_EQ(count(rules), 0U);
}

TEST(AffineMotion, BoundsEveryDistanceOnTheWay) {
  RandomNumbers random(7);
  std::vector<int> number(20);
  for (int i = 0; i < 20; ++i) number[i] = i;
  for (int trial = 0; trial < 50; ++trial) {
    const Points before = random.points(20);
    Mat3 map = Mat3::Identity();
    for (int k = 0; k < 9; ++k) map.data()[k] += 0.3 * random.next();
    const Points after = (map * before).colwise() + random.vector();
    const AffineMotion motion({number.data(), number.data() + 20}, before, after);
    const double least = motion.least_stretch();
    double sampled = 1;
    for (int step = 0; step <= 50; ++step) {
      const Points x = before + step / 50.0 * (after - before);
      for (int i = 1; i < 20; ++i)
        sampled = std::min(sampled,
                           (x.col(i) - x.col(0)).norm() / (before.col(i) - before.col(0)).norm());
    }
    EXPECT_LE(least, sampled + 1e-6);
    EXPECT_LT(motion.departure(before.col(3), after.col(3)), 1e-6);
  }
}

}  // namespace
}  // namespace dashpot
