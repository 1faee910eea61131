#include "solver/mesh/boundary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <set>

#include "solver/mesh/hex_block.h"

namespace dashpot {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

Points two_tet_points() {
  Points points(3, 5);
  points << 0, 1, 0, 0, 1,  //
      0, 0, 1, 0, 1,        //
      0, 0, 0, 1, 1;
  return points;
}

// Six tets per cell of an n x n x n grid, all cells alike.
std::vector<Tet> grid_tets(int n) {
  return cut_into_tets({uniform_axis(n), uniform_axis(n), uniform_axis(n)});
}

// The definition, by brute force.
std::set<std::set<int>> faces_seen_once(const std::vector<Tet>& tets) {
  std::map<std::set<int>, int> seen;
  for (const Tet& t : tets)
    for (int skip = 0; skip < 4; ++skip) {
      std::set<int> face(t.begin(), t.end());
      face.erase(t[skip]);
      ++seen[face];
    }
  std::set<std::set<int>> once;
  for (const auto& [face, count] : seen)
    if (count == 1) once.insert(face);
  return once;
}

TEST(Boundary, EveryFaceOfASingleTetIsOutward) {
  const Points points = two_tet_points();
  const std::vector<Triangle> surface = boundary_surface({{0, 1, 2, 3}});
  ASSERT_THAT(surface, SizeIs(4));
  const Vec3 centre = points.leftCols(4).rowwise().mean();
  for (const Triangle& t : surface) {
    const Vec3 a = points.col(t[0]), b = points.col(t[1]), c = points.col(t[2]);
    EXPECT_GT((b - a).cross(c - a).dot(a - centre), 0.0);
  }
}

TEST(Boundary, LeavesOutTheFaceThatTwoTetsShare) {
  const std::vector<Triangle> surface = boundary_surface({{0, 1, 2, 3}, {1, 2, 3, 4}});
  ASSERT_THAT(surface, SizeIs(6));
  for (Triangle t : surface) {
    std::sort(t.begin(), t.end());
    EXPECT_NE(t, (Triangle{1, 2, 3}));
  }
}

TEST(Boundary, AgreesWithTheDefinitionOnAGrid) {
  const std::vector<Tet> tets = grid_tets(5);
  const std::vector<Triangle> surface = boundary_surface(tets);
  EXPECT_THAT(surface, SizeIs(6 * 25 * 2));
  std::set<std::set<int>> faces;
  for (const Triangle& t : surface) faces.insert({t[0], t[1], t[2]});
  EXPECT_EQ(faces, faces_seen_once(tets));
}

TEST(Boundary, FollowsTheOrderOfTheTets) {
  const std::vector<Triangle> first = boundary_surface({{0, 1, 2, 3}});
  const std::vector<Triangle> second = boundary_surface({{10, 11, 12, 13}});
  const std::vector<Triangle> both = boundary_surface({{10, 11, 12, 13}, {0, 1, 2, 3}});
  ASSERT_THAT(both, SizeIs(8));
  EXPECT_TRUE(std::equal(second.begin(), second.end(), both.begin()));
  EXPECT_TRUE(std::equal(first.begin(), first.end(), both.begin() + 4));
}

TEST(Boundary, OfAClosedSurfaceEveryEdgeIsUsedOnceInEachDirection) {
  std::map<std::pair<int, int>, int> directed;
  for (const Triangle& t : boundary_surface(grid_tets(3)))
    for (int e = 0; e < 3; ++e) ++directed[{t[e], t[(e + 1) % 3]}];
  for (const auto& [edge, count] : directed) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(directed.count({edge.second, edge.first}), 1u);
  }
}

TEST(Boundary, AFaceOfThreeTetsIsNotBoundary) {
  EXPECT_THAT(boundary_surface({{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}}), SizeIs(9));
}

TEST(Boundary, OfNothingIsNothing) {
  EXPECT_THAT(boundary_surface({}), IsEmpty());
}

}  // namespace
}  // namespace dashpot
