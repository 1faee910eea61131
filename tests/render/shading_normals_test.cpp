#include "standalone/render/shading_normals.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/render/sample_surfaces.h"

namespace dashpot {
namespace {

Eigen::Vector3f face_normal(const Surface& s, std::size_t t) {
  const Vec3 a = s.points.col(s.triangles[t][0]);
  return (s.points.col(s.triangles[t][1]) - a)
      .cross(s.points.col(s.triangles[t][2]) - a)
      .normalized()
      .cast<float>();
}

TEST(ShadingNormals, ACubeKeepsTheNormalsOfItsFaces) {
  const Surface box = cube(Vec3(1, 2, 3), 0.5);
  const ShadingNormals shading = shading_normals(box.points, box.triangles);
  for (std::size_t t = 0; t < box.triangles.size(); ++t)
    for (int n : shading.corners[t])
      EXPECT_LT((shading.normals[static_cast<std::size_t>(n)] - face_normal(box, t)).norm(), 1e-6F);
  EXPECT_EQ(shading.normals.size(), 24U);
}

TEST(ShadingNormals, ASphereHasOneRadialNormalPerPoint) {
  const Surface ball = sphere(Vec3::Zero(), 2);
  const ShadingNormals shading = shading_normals(ball.points, ball.triangles);
  EXPECT_EQ(shading.normals.size(), static_cast<std::size_t>(ball.points.cols()));
  for (std::size_t t = 0; t < ball.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 radial = ball.points.col(ball.triangles[t][k]).normalized();
      const auto n = static_cast<std::size_t>(shading.corners[t][k]);
      EXPECT_GT(shading.normals[n].dot(radial.cast<float>()), 0.99F);
    }
}

// Two unit squares that share the edge x = 0, the right one lifted by an angle.
std::size_t normals_along_a_fold(double degrees) {
  const double c = std::cos(degrees * EIGEN_PI / 180), s = std::sin(degrees * EIGEN_PI / 180);
  Points points(3, 6);
  points << 0, 0, -1, -1, c, c,  //
      0, 0, 0, 0, s, s,          //
      0, 1, 0, 1, 0, 1;
  return shading_normals(points, {{0, 1, 2}, {1, 3, 2}, {0, 4, 1}, {1, 4, 5}}).normals.size();
}

TEST(ShadingNormals, AFoldIsSmoothBelowTheCreaseAngleAndHardAbove) {
  EXPECT_EQ(normals_along_a_fold(kCreaseDegrees - 1), 6U);
  EXPECT_EQ(normals_along_a_fold(kCreaseDegrees + 1), 8U);
}

}  // namespace
}  // namespace dashpot
