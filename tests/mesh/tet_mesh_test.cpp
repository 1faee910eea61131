#include "solver/mesh/tet_mesh.h"

#include <gtest/gtest.h>

#include <limits>

#include "solver/base/error.h"

#include "tests/mesh/corner_points.h"

namespace dashpot {
namespace {

const Tet kPositive{0, 1, 2, 3}, kNegative{0, 1, 3, 2};

std::string refusal(const Points& points, const std::vector<Tet>& tets) {
  try {
    make_tet_mesh(points, tets, "jelly");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(TetMesh, KeepsPositiveTetsAsTheyAre) {
  const TetMesh mesh = make_tet_mesh(corner_points(), {kPositive}, "jelly");
  EXPECT_FALSE(mesh.flipped);
  EXPECT_EQ(mesh.tets[0], kPositive);
  EXPECT_EQ(input_order(mesh, 0), kPositive);
}

TEST(TetMesh, FlipsHoudinisTetsAndRemembersTheInputOrder) {
  const TetMesh mesh = make_tet_mesh(corner_points(), {kNegative, kNegative}, "jelly");
  EXPECT_TRUE(mesh.flipped);
  for (int t = 0; t < mesh.tet_count(); ++t) {
    EXPECT_GT(signed_volume(mesh.rest, mesh.tets[t]), 0.0);
    EXPECT_EQ(input_order(mesh, t), kNegative);
  }
}

TEST(TetMesh, AllowsPointsThatNoTetUses) {
  Points points(3, 6);
  points.leftCols(4) = corner_points();
  points.rightCols(2).setOnes();
  EXPECT_EQ(make_tet_mesh(points, {kPositive}, "jelly").point_count(), 6);
}

TEST(TetMesh, SignedVolumeOfTheCornerTet) {
  EXPECT_DOUBLE_EQ(signed_volume(corner_points(), kPositive), 1.0 / 6.0);
  EXPECT_DOUBLE_EQ(signed_volume(corner_points(), kNegative), -1.0 / 6.0);
}

TEST(TetMeshRefusal, NoTets) {
  EXPECT_EQ(refusal(corner_points(), {}),
            "body 'jelly': the geometry has no tets; fill the surface with tets first");
}

TEST(TetMeshRefusal, PositionsThatAreNotFinite) {
  Points points = corner_points();
  points(0, 2) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal(points, {kPositive}),
            "body 'jelly': point 2 has a position that is not a finite number; repair the "
            "geometry (1 such point)");
}

TEST(TetMeshRefusal, IndicesOutOfRangeOrRepeated) {
  EXPECT_EQ(refusal(corner_points(), {kPositive, {0, 1, 2, 7}, {0, 1, 2, 2}}),
            "body 'jelly': tets 1, 2 use a point that does not exist or the same point twice; "
            "repair the mesh (2 such tets)");
}

TEST(TetMeshRefusal, ZeroVolume) {
  Points points(3, 5);
  points.leftCols(4) = corner_points();
  points.col(4) = Vec3(1, 1, 0);
  EXPECT_EQ(refusal(points, {kPositive, {0, 1, 2, 4}}),
            "body 'jelly': tet 1 has zero volume; remove it or repair the mesh (1 such tet)");
}

TEST(TetMeshRefusal, MixedOrientations) {
  std::vector<Tet> tets(49, kPositive);
  for (const int t : {3, 8, 9}) tets[t] = kNegative;
  EXPECT_EQ(refusal(corner_points(), tets),
            "body 'jelly' mixes both orientations: tets 3, 8, 9 are opposite to the other 46; "
            "flip them by swapping two corners, or mesh again (3 such tets)");
}

TEST(TetMeshRefusal, ListsOnlyTheFirstFewOffenders) {
  const std::vector<Tet> tets(1000, Tet{0, 1, 2, 99});
  EXPECT_EQ(refusal(corner_points(), tets),
            "body 'jelly': tets 0, 1, 2, 3, 4 … use a point that does not exist or the same point "
            "twice; repair the mesh (1000 such tets)");
}

}  // namespace
}  // namespace dashpot
