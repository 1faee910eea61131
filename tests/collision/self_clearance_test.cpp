#include "solver/collision/self_clearance.h"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

#include "tests/collision/surface_samples.h"
#include "tests/support/random_numbers.h"

namespace dashpot {
namespace {

constexpr double kLimit = 0.01;

struct Clearance {
  SampleBodies bodies;
  ContactSurface surface;
  SurfaceTrees trees;
  FeatureBoxes scratch;
  SelfClearance known;

  explicit Clearance(SampleBodies b)
      : bodies(std::move(b)),
        surface(bodies.surface()),
        trees(surface),
        scratch(surface),
        known(surface, 0, make_rest_patches(surface, trees, 0, bodies.x, scratch), kLimit) {}

  SelfDoubts doubts(const Points& before, const Points& x) {
    known.begin(before);
    return known.find_doubts(x);
  }

  // Whether primitives of a triangle each are in doubt.
  bool is_doubted(const CandidatePair& pair, const SelfDoubts& doubts) {
    const auto same = [&](const CandidatePair& b) { return !(pair < b) && !(b < pair); };
    if (std::any_of(doubts.pairs.begin(), doubts.pairs.end(), same)) return true;
    return std::any_of(doubts.clusters.begin(), doubts.clusters.end(), [&](const auto& both) {
      return (has(both[0], pair, true) && has(both[1], pair, false)) ||
             (has(both[1], pair, true) && has(both[0], pair, false));
    });
  }
  bool has(int cluster, const CandidatePair& pair, bool first) {
    const IndexRange triangles = known.triangles(cluster);
    return std::any_of(triangles.begin(), triangles.end(), [&](int t) {
      const Triangle& corner = surface.triangles()[t];
      const int number = first ? pair.first : pair.second;
      if (pair.kind == Primitives::kVertexTriangle)
        return first ? has_point(corner, number) : t == number;
      const Edge& e = surface.edges()[number];
      return has_point(corner, e[0]) && has_point(corner, e[1]);
    });
  }
};

SampleBodies beam() {
  SampleBodies bodies;
  return bodies.add(make_box({2, 0.4, 0.4}, {15, 3, 3}), Vec3::Zero());
}

// Along a circle that all of the beam makes `turn` radians of, twisted, and rough.
Points bent(const Points& rest, double turn, double twist, double rough, int seed) {
  RandomNumbers random(seed);
  Points x = rest;
  for (int p = 0; p < x.cols(); ++p) {
    const double along = rest(0, p) / 2, angle = turn * along;
    const Vec3 across =
        Eigen::AngleAxisd(twist * along, Vec3::UnitX()) * Vec3(0, rest(1, p), rest(2, p));
    const double radius = 2 / turn;
    x.col(p) = Vec3((radius - across[1]) * std::sin(angle),
                    radius - (radius - across[1]) * std::cos(angle), across[2]) +
               rough * random.vector();
  }
  return x;
}

std::vector<CandidatePair> near_pairs(const ContactSurface& surface, const Points& before,
                                      const Points& x) {
  std::vector<CandidatePair> near;
  const auto look = [&](const CandidatePair& pair) {
    const PairPath path{pair.kind, four_points(surface, pair, before),
                        four_points(surface, pair, x)};
    if (time_of_contact(path, kLimit / 1.06) <= 1) near.push_back(pair);
  };
  for (const int v : surface.vertices())
    for (int t = 0; t < static_cast<int>(surface.triangles().size()); ++t)
      if (!has_point(surface.triangles()[t], v)) look({Primitives::kVertexTriangle, v, t, 0});
  for (int d = 0; d < static_cast<int>(surface.edges().size()); ++d)
    for (int e = d + 1; e < static_cast<int>(surface.edges().size()); ++e) {
      const Edge& other = surface.edges()[e];
      if (!has_point(other, surface.edges()[d][0]) && !has_point(other, surface.edges()[d][1]))
        look({Primitives::kEdgeEdge, d, e, 0});
    }
  return near;
}

TEST(SelfClearance, DoubtsAllThatComesNear) {
  Clearance clearance(beam());
  const Points& rest = clearance.bodies.x;
  std::size_t near_count = 0;
  for (int seed = 1; seed <= 12; ++seed) {
    const double rough = 0.01 * seed;
    const Points before = bent(rest, 0.5 * seed, 0.2 * seed, rough, seed);
    const Points x = bent(rest, 0.6 * seed, 0.1 * seed, rough, seed + 100);
    const auto near = near_pairs(clearance.surface, before, x);
    const SelfDoubts doubts = clearance.doubts(before, x);
    near_count += near.size();
    for (const CandidatePair& pair : near)
      EXPECT_TRUE(clearance.is_doubted(pair, doubts))
          << "seed " << seed << " kind " << static_cast<int>(pair.kind) << " " << pair.first << " "
          << pair.second;
  }
  EXPECT_GT(near_count, 500U);
}

TEST(SelfClearance, HasNoDoubtsAboutABeamThatBendsAndTwists) {
  Clearance clearance(beam());
  const Points& rest = clearance.bodies.x;
  const Mat3 turn = Eigen::AngleAxisd(0.2, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Points before = bent(rest, 0.3, 0.3, 0, 1);
  const Points x = (turn * bent(rest, 0.4, 0.4, 0, 1)).colwise() + Vec3(3, -2, 7);
  const SelfDoubts doubts = clearance.doubts(before, x);
  EXPECT_TRUE(doubts.pairs.empty());
  EXPECT_TRUE(doubts.clusters.empty());
}

TEST(SelfClearance, DoubtsTheSlotOfAUThatCloses) {
  Clearance clearance(u_with_flush_rims(2));
  const Points& rest = clearance.bodies.x;
  Points closed = rest;
  for (int p = 0; p < closed.cols(); ++p)
    if (rest(1, p) > 0.15) closed(1, p) -= 0.095 * std::min(1.0, rest(0, p) / 0.1);
  const auto near = near_pairs(clearance.surface, rest, closed);
  const SelfDoubts doubts = clearance.doubts(rest, closed);
  EXPECT_GT(near.size(), 20U);
  for (const CandidatePair& pair : near) EXPECT_TRUE(clearance.is_doubted(pair, doubts));
}

// A run that goes on from a saved state has not asked before.
TEST(SelfClearance, DoubtsTheSameWhateverItWasAskedBefore) {
  Clearance asked(beam()), fresh(beam());
  const Points& rest = asked.bodies.x;
  for (int k = 0; k < 9; ++k)
    asked.doubts(bent(rest, 0.3 + 0.4 * k, 1, 0.02, k), bent(rest, 0.5 + 0.4 * k, 1, 0.02, k + 1));
  const Points before = bent(rest, 3, 1, 0.03, 20), x = bent(rest, 3.3, 1, 0.03, 21);
  const SelfDoubts a = asked.doubts(before, x), b = fresh.doubts(before, x);
  EXPECT_FALSE(a.clusters.empty());
  EXPECT_EQ(a.clusters, b.clusters);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t k = 0; k < a.pairs.size(); ++k)
    EXPECT_FALSE(a.pairs[k] < b.pairs[k] || b.pairs[k] < a.pairs[k]);
}

// Nothing can be said of how a straight row of points moves: all of it is in doubt.
TEST(SelfClearance, DoubtsWhatIsThinAsALine) {
  SampleBodies bodies;
  bodies.add(make_box({4, 0.001, 0.001}, {8, 1, 1}), Vec3::Zero());
  Clearance clearance(bodies);
  EXPECT_FALSE(clearance.doubts(bodies.x, bodies.x).clusters.empty());
}

}  // namespace
}  // namespace dashpot
