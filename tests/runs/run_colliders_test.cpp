#include "standalone/runs/run_colliders.h"

#include <gmock/gmock.h>

#include "standalone/runs/collider_record.h"
#include "tests/runs/made_run.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Json = nlohmann::ordered_json;

// As dashpot simulate records it.
Json recorded(const std::string& name, const ColliderSource& source) {
  SceneCollider collider;
  collider.collider.name = name;
  return collider_json(collider, source);
}

ColliderSource ball(double radius) {
  ColliderSource source;
  source.shape = LevelSetShape();
  source.shape->radius = radius;
  source.shape->voxel_size = 0.05;
  return source;
}

std::vector<RunCollider> read_back(const Json& colliders, std::vector<std::string>& problems) {
  const MadeRun made;
  made.write_record(5, 2, colliders);
  return read_colliders(open_run(made.path()), problems);
}

TEST(RunColliders, AShapeIsMeshedWhereItIs) {
  ColliderSource source = ball(0.5);
  source.shape->translation = Vec3(0, 2, 0);
  std::vector<std::string> problems;
  const auto colliders = read_back(Json::array({recorded("ball", source)}), problems);
  EXPECT_THAT(problems, IsEmpty());
  ASSERT_EQ(colliders.size(), 1U);
  EXPECT_EQ(colliders[0].name(), "ball");
  EXPECT_FALSE(colliders[0].is_plane());
  ASSERT_EQ(colliders[0].shape_count(), 1U);
  const SurfaceMesh mesh = colliders[0].mesh(0);
  for (Eigen::Index i = 0; i < mesh.points.cols(); ++i)
    EXPECT_NEAR((mesh.points.col(i) - Vec3(0, 2, 0)).norm(), 0.5, 0.01);
}

TEST(RunColliders, APlaneMovesAsItDidInTheRun) {
  ColliderSource source;
  source.plane = {Vec3(0, 1, 0), Vec3(0, 1, 0)};
  RigidMotion motion;
  motion.velocity = Vec3(0, 0.5, 0);
  motion.end = 2;
  source.motion.push_back(motion);
  std::vector<std::string> problems;
  const auto colliders = read_back(Json::array({recorded("lift", source)}), problems);
  ASSERT_EQ(colliders.size(), 1U);
  EXPECT_TRUE(colliders[0].is_plane());
  EXPECT_TRUE(colliders[0].moves());
  EXPECT_EQ(colliders[0].shape_count(), 0U);
  EXPECT_NEAR(colliders[0].pose(1).to_world(colliders[0].plane_point()).y(), 1.5, 1e-12);
  EXPECT_NEAR(colliders[0].pose(9).to_world(colliders[0].plane_point()).y(), 2, 1e-12);
}

TEST(RunColliders, ASequenceShowsTheLastFileThatIsDue) {
  ColliderSource source;
  for (const double time : {0.0, 0.5, 1.0}) source.files.push_back({time, "/nowhere.vdb"});
  const RunCollider collider("flag", source);
  EXPECT_EQ(collider.shape_count(), 3U);
  EXPECT_EQ(collider.shape_at(0.49), 0U);
  EXPECT_EQ(collider.shape_at(0.5 - 1e-12), 1U);
  EXPECT_EQ(collider.shape_at(7), 2U);
}

TEST(RunColliders, MeshesAreLightEnoughForAPage) {
  ColliderSource source = ball(0.5);
  source.shape->type = "box";
  const RunCollider collider("box", source);
  const std::size_t all = collider.mesh(0).triangles.size();
  EXPECT_EQ(collider.light_mesh(0, all).triangles.size(), all);
  EXPECT_LE(collider.light_mesh(0, all / 4).triangles.size(), all / 4);
}

TEST(RunColliders, WhatCannotBeShownIsNamedAndLeftOut) {
  ColliderSource gone;
  gone.files.push_back({0, "/nowhere/hills.vdb"});
  Json damaged = recorded("damaged", ball(0.5));
  damaged["shape"].erase("radius");
  Json empty = {{"name", "empty"}};
  std::vector<std::string> problems;
  const auto colliders = read_back({recorded("hills", gone), damaged, empty, "text"}, problems);
  EXPECT_TRUE(colliders.empty());
  EXPECT_THAT(problems,
              ElementsAre(HasSubstr("'hills' cannot be shown: /nowhere/hills.vdb"),
                          HasSubstr("'damaged' cannot be shown"),
                          HasSubstr("'empty' cannot be shown"), HasSubstr("'4' cannot be shown")));
}

}  // namespace
}  // namespace dashpot
