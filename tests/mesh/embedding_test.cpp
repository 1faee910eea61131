#include "solver/mesh/embedding.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/Geometry>

#include "tests/support/bodies.h"

namespace dashpot {
namespace {

const Vec3 kSize(0.9, 0.5, 0.4);

// All over a box three times as large as the mesh, so that most are outside.
Points scattered_points(int count) {
  std::srand(7);
  Points points = Points::Random(3, count);
  for (int i = 0; i < count; ++i)
    points.col(i) = 0.5 * kSize + 1.5 * kSize.cwiseProduct(Vec3(points.col(i)));
  return points;
}

bool is_inside(const Vec3& p) {
  return (p.array() >= 0).all() && (p.array() <= kSize.array()).all();
}

TEST(Embedding, ReproducesThePointsInTheRestShape) {
  const TetMesh mesh = box_mesh({3, 2, 2}, kSize);
  const Points points = scattered_points(300);
  const Embedding embedding = embed(mesh, points);
  ASSERT_EQ(embedding.count(), 300);
  for (int i = 0; i < embedding.count(); ++i) {
    EXPECT_NEAR(embedding.weights[i].sum(), 1, 1e-14);
    EXPECT_LT((follow(embedding, mesh, mesh.rest, i) - points.col(i)).norm(), 1e-14) << i;
  }
}

TEST(Embedding, APointInsideBelongsToTheTetThatContainsIt) {
  const TetMesh mesh = box_mesh({3, 2, 2}, kSize);
  const Points points = scattered_points(300);
  const Embedding embedding = embed(mesh, points);
  int inside = 0;
  for (int i = 0; i < embedding.count(); ++i) {
    if (!is_inside(points.col(i))) continue;
    ++inside;
    EXPECT_GE(embedding.weights[i].minCoeff(), -1e-9) << i;
  }
  EXPECT_GT(inside, 5);
}

TEST(Embedding, APointOutsideBelongsToTheNearestTet) {
  const TetMesh mesh = box_mesh({3, 2, 2}, kSize);
  const Points points = scattered_points(300);
  const Embedding embedding = embed(mesh, points);
  for (int i = 0; i < embedding.count(); ++i) {
    if (is_inside(points.col(i))) continue;
    // The mesh is a box: its nearest point is found by clamping, and the tet must contain it.
    Points nearest = points.col(i).cwiseMax(0).cwiseMin(kSize);
    const Tet& tet = mesh.tets[embedding.tet[i]];
    Mat3 edges;
    for (int a = 0; a < 3; ++a) edges.col(a) = mesh.rest.col(tet[a + 1]) - mesh.rest.col(tet[0]);
    const Vec3 tail = edges.inverse() * (Vec3(nearest.col(0)) - mesh.rest.col(tet[0]));
    EXPECT_GE(std::min(tail.minCoeff(), 1 - tail.sum()), -1e-9) << i;
  }
}

TEST(Embedding, FollowsAnAffineMapOfTheMeshExactly) {
  const TetMesh mesh = box_mesh({3, 2, 2}, kSize);
  const Points points = scattered_points(300);
  const Embedding embedding = embed(mesh, points);
  const Mat3 map = Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()) *
                   (Mat3() << 1.5, 0.2, 0, 0, 0.7, -0.1, 0.3, 0, 1).finished();
  const Vec3 shift(1, -2, 3);
  const Points moved = (map * mesh.rest).colwise() + shift;
  for (int i = 0; i < embedding.count(); ++i)
    EXPECT_LT((follow(embedding, mesh, moved, i) - (map * points.col(i) + shift)).norm(), 1e-13);
}

TEST(Embedding, OfSeveralTetsTheLowestIsTaken) {
  const TetMesh mesh = box_mesh({3, 2, 2}, kSize);
  const Embedding embedding = embed(mesh, mesh.rest);
  for (int point = 0; point < mesh.point_count(); ++point) {
    int lowest = 0;
    while (std::count(mesh.tets[lowest].begin(), mesh.tets[lowest].end(), point) == 0) ++lowest;
    EXPECT_EQ(embedding.tet[point], lowest);
  }
}

TEST(Embedding, OfNoPointsIsEmpty) {
  EXPECT_EQ(embed(box_mesh({1, 1, 1}, kSize), Points(3, 0)).count(), 0);
}

}  // namespace
}  // namespace dashpot
