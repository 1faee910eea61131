#include "solver/mesh/quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/mesh/corner_points.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Points regular_points() {
  Points points(3, 4);
  points << 1, 1, -1, -1,  //
      1, -1, 1, -1,        //
      1, -1, -1, 1;
  return points;
}

TEST(ShapeQuality, IsOneForARegularTetAtAnyScaleAndOrientation) {
  for (const double scale : {1e-120, 1e-3, 1.0, 1e120}) {
    const Points points = scale * regular_points();
    EXPECT_NEAR(shape_quality(points, {0, 1, 2, 3}), 1.0, 1e-14) << scale;
    EXPECT_NEAR(shape_quality(points, {0, 1, 3, 2}), 1.0, 1e-14) << scale;
  }
}

TEST(ShapeQuality, OfTheCornerTetFollowsTheFormula) {
  // V = 1/6, three edges of length 1 and three of sqrt(2).
  EXPECT_NEAR(shape_quality(corner_points(), {0, 1, 2, 3}), 12.0 * std::pow(0.5, 2.0 / 3.0) / 9.0,
              1e-15);
}

TEST(ShapeQuality, IsZeroForAFlatTet) {
  Points points = corner_points();
  points.col(3) = points.col(1) + points.col(2);
  EXPECT_EQ(shape_quality(points, {0, 1, 2, 3}), 0.0);
}

TEST(InspectMesh, MeasuresASingleTet) {
  const QualityReport report = inspect_mesh(corner_points(), {{0, 1, 2, 3}});
  EXPECT_FALSE(report.has_errors());
  EXPECT_FALSE(report.negative_orientation);
  EXPECT_EQ(report.pieces, 1);
  EXPECT_NEAR(report.volume, 1.0 / 6.0, 1e-16);
  EXPECT_DOUBLE_EQ(report.min_edge, 1.0);
  EXPECT_DOUBLE_EQ(report.max_edge, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(report.mean_edge, (1.0 + std::sqrt(2.0)) / 2.0);
  EXPECT_EQ(report.min_quality, report.mean_quality);
}

TEST(InspectMesh, ReportsHoudinisOrientationWithoutCallingItAnError) {
  const QualityReport report = inspect_mesh(corner_points(), {{0, 1, 3, 2}});
  EXPECT_TRUE(report.negative_orientation);
  EXPECT_FALSE(report.has_errors());
  EXPECT_GT(report.volume, 0.0);
}

TEST(InspectMesh, FindsPointsThatAreNotFinite) {
  Points points = corner_points();
  points(1, 2) = std::numeric_limits<double>::quiet_NaN();
  points(0, 3) = std::numeric_limits<double>::infinity();
  const QualityReport report = inspect_mesh(points, {{0, 1, 2, 3}});
  EXPECT_THAT(report.not_finite_points, ElementsAre(2, 3));
  EXPECT_TRUE(report.has_errors());
}

TEST(InspectMesh, FindsIndicesOutOfRangeOrRepeated) {
  const QualityReport report =
      inspect_mesh(corner_points(), {{0, 1, 2, 3}, {0, 1, 2, 4}, {-1, 1, 2, 3}, {0, 1, 1, 3}});
  EXPECT_THAT(report.bad_index_tets, ElementsAre(1, 2, 3));
  EXPECT_TRUE(report.has_errors());
}

TEST(InspectMesh, JudgesZeroVolumeRelativeToTheLongestEdge) {
  Points points = corner_points();
  points(2, 3) = 1e-9;
  EXPECT_THAT(inspect_mesh(points, {{0, 1, 2, 3}}).degenerate_tets, IsEmpty());
  EXPECT_THAT(inspect_mesh(1e-6 * points, {{0, 1, 2, 3}}).degenerate_tets, IsEmpty());
  EXPECT_THAT(inspect_mesh(points, {{0, 1, 2, 3}}).sliver_tets, ElementsAre(0));
  points(2, 3) = 1e-12;
  EXPECT_THAT(inspect_mesh(points, {{0, 1, 2, 3}}).degenerate_tets, ElementsAre(0));
  EXPECT_THAT(inspect_mesh(1e6 * points, {{0, 1, 2, 3}}).degenerate_tets, ElementsAre(0));
}

TEST(InspectMesh, CallsATetWithAllCornersInOnePlaceDegenerate) {
  const QualityReport report = inspect_mesh(Points::Zero(3, 4), {{0, 1, 2, 3}});
  EXPECT_THAT(report.degenerate_tets, ElementsAre(0));
  EXPECT_EQ(report.min_quality, 0.0);
}

TEST(InspectMesh, ListsTheMinorityWhenOrientationsAreMixed) {
  const Tet positive{0, 1, 2, 3}, negative{0, 1, 3, 2};
  EXPECT_THAT(inspect_mesh(corner_points(), {positive, negative, positive}).inverted_tets,
              ElementsAre(1));
  EXPECT_THAT(inspect_mesh(corner_points(), {positive, negative, negative}).inverted_tets,
              ElementsAre(0));
}

TEST(InspectMesh, CountsPiecesAndUnreferencedPoints) {
  Points points(3, 13);
  points.leftCols(4) = corner_points();
  points.middleCols(4, 4) = corner_points().colwise() + Vec3(5, 0, 0);
  points.middleCols(8, 4) = corner_points().colwise() + Vec3(0, 0, 1);  // its 8 lies on point 3
  points.col(12).setConstant(9.0);
  const std::vector<Tet> tets{{0, 1, 2, 3}, {4, 5, 6, 7}, {3, 9, 10, 11}};
  const QualityReport report = inspect_mesh(points, tets);
  EXPECT_EQ(report.pieces, 2) << "a shared point connects tets 0 and 2";
  EXPECT_THAT(report.unreferenced_points, ElementsAre(8, 12));
  EXPECT_FALSE(report.has_errors());
}

TEST(InspectMesh, CallsAMeshWithoutTetsAnError) {
  EXPECT_TRUE(inspect_mesh(corner_points(), {}).has_errors());
  EXPECT_TRUE(inspect_mesh(Points(3, 0), {}).has_errors());
}

TEST(QualityText, NamesTheFirstElementsOfEachFinding) {
  std::vector<Tet> tets(8, Tet{0, 1, 2, 3});
  for (int t = 0; t < 7; ++t) tets[t][3] = 99;
  const std::string text = to_text(inspect_mesh(corner_points(), tets));
  EXPECT_THAT(text, HasSubstr("7 tets with an index out of range or repeated: 0, 1, 2, 3, 4 …\n"));
  EXPECT_THAT(text, HasSubstr("1 connected piece,"));
  EXPECT_THAT(text, Not(HasSubstr("sliver")));
}

}  // namespace
}  // namespace dashpot
