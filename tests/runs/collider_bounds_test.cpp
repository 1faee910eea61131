#include "standalone/runs/collider_bounds.h"

#include <gmock/gmock.h>

#include "tests/runs/made_run.h"

namespace dashpot {
namespace {

using Extent = Eigen::AlignedBox3d;

const Extent kBodies(Vec3(-0.5, 0, -0.5), Vec3(0.5, 1, 0.5));

ColliderSource ball(double radius, const Vec3& centre) {
  ColliderSource source;
  source.shape = LevelSetShape();
  source.shape->type = "sphere";
  source.shape->radius = radius;
  source.shape->voxel_size = radius / 20;
  source.shape->translation = centre;
  return source;
}

// All that a camera sees of colliders in a run of four frames.
Extent seen(const ColliderSource& source) {
  const MadeRun made;
  const RunDirectory run = open_run(made.path());
  std::vector<RunCollider> colliders;
  colliders.emplace_back("it", source);
  Extent all;
  for (const Extent& box : collider_boxes(run, colliders, kBodies)) all.extend(box);
  return all;
}

TEST(ColliderBoxes, AShapeBesideTheBodiesIsSeenWhole) {
  const Extent box = seen(ball(0.6, Vec3(0, 1.8, 0)));
  EXPECT_NEAR(box.max().y(), 2.4, 0.05);
  EXPECT_NEAR(box.min().x(), -0.6, 0.05);
}

TEST(ColliderBoxes, AShapeThatMovesIsSeenOnItsWholeWay) {
  ColliderSource press = ball(0.3, Vec3(0, 1.2, 0));
  press.motion.emplace_back();
  press.motion.back().velocity = Vec3(0, 8, 0);  // a metre in three frames
  EXPECT_NEAR(seen(press).max().y(), 2.5, 0.05);
  EXPECT_NEAR(seen(press).min().y(), 0.9, 0.05);
}

TEST(ColliderBoxes, OfALargeShapeThePartNearBodiesIsSeen) {
  const Extent box = seen(ball(8, Vec3(0, -8, 0)));
  ASSERT_FALSE(box.isEmpty());
  EXPECT_LT(box.diagonal().norm(), 2 * kBodies.diagonal().norm());
  EXPECT_NEAR(box.max().y(), 0, 0.02);
  EXPECT_TRUE(seen(ball(0.5, Vec3(40, 0, 0))).isEmpty());
}

TEST(ColliderBoxes, APlaneIsSeenUnderBodiesThatAreNear) {
  ColliderSource floor;
  floor.plane = {Vec3(0, -0.4, 0), Vec3::UnitY()};
  EXPECT_NEAR(seen(floor).min().y(), -0.4, 1e-12);
  EXPECT_NEAR(seen(floor).max().x(), 0.5, 1e-12);
  floor.plane->first.y() = -30;
  EXPECT_TRUE(seen(floor).isEmpty());
}

TEST(SpreadEvenly, KeepsTheEnds) {
  EXPECT_THAT(spread_evenly({1, 2, 3, 4, 5, 6, 7}, 3), testing::ElementsAre(1, 4, 7));
  EXPECT_THAT(spread_evenly({1, 2}, 3), testing::ElementsAre(1, 2));
}

}  // namespace
}  // namespace dashpot
