#include "solver/mesh/rest_shape.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numeric>

namespace dashpot {
namespace {

// Two tets that share the face 1-2-3, and a point that neither uses.
TetMesh two_tets() {
  Points points(3, 6);
  points << 0, 1, 0, 0, 1, 7,  //
      0, 0, 1, 0, 1, 7,        //
      0, 0, 0, 1, 1, 7;
  return make_tet_mesh(points, {{0, 1, 2, 3}, {1, 2, 3, 4}}, "two");
}

TEST(RestShape, VolumesAreTheSignedVolumes) {
  const TetMesh mesh = two_tets();
  const RestShape shape = make_rest_shape(mesh);
  ASSERT_EQ(shape.volume.size(), 2u);
  EXPECT_NEAR(shape.volume[0], 1.0 / 6.0, 1e-16);
  EXPECT_NEAR(shape.volume[1], 1.0 / 3.0, 1e-15);
}

TEST(RestShape, AtRestTheDeformationGradientIsTheIdentity) {
  const TetMesh mesh = two_tets();
  const RestShape shape = make_rest_shape(mesh);
  for (int t = 0; t < mesh.tet_count(); ++t)
    EXPECT_TRUE(deformation_gradient(mesh.rest, mesh.tets[t], shape.inverse_rest_shape[t])
                    .isIdentity(1e-14));
}

TEST(RestShape, AnAffineMotionIsItsOwnDeformationGradient) {
  const TetMesh mesh = two_tets();
  const RestShape shape = make_rest_shape(mesh);
  Mat3 gradient;
  gradient << 1.2, 0.3, -0.1, 0.0, 0.7, 0.4, 0.5, -0.2, 1.9;
  const Points x = (gradient * mesh.rest).colwise() + Vec3(3, -2, 1);
  for (int t = 0; t < mesh.tet_count(); ++t)
    EXPECT_TRUE(deformation_gradient(x, mesh.tets[t], shape.inverse_rest_shape[t])
                    .isApprox(gradient, 1e-14));
}

TEST(LumpedMass, GivesAQuarterOfEachTetToEachCorner) {
  const TetMesh mesh = two_tets();
  const std::vector<double> mass = lumped_mass(mesh, make_rest_shape(mesh), {600.0, 1200.0});
  EXPECT_NEAR(mass[0], 25.0, 1e-12);
  EXPECT_NEAR(mass[1], 25.0 + 100.0, 1e-12);
  EXPECT_NEAR(mass[4], 100.0, 1e-12);
  EXPECT_EQ(mass[5], 0.0) << "no tet uses point 5";
  EXPECT_NEAR(std::accumulate(mass.begin(), mass.end(), 0.0), 500.0, 1e-11);
}

}  // namespace
}  // namespace dashpot
