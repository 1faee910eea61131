// VDBs of the collider input, as the solver will take them.
#include "sop_plugin/collider_input.h"

#include <gmock/gmock.h>
#include <openvdb/tools/LevelSetSphere.h>

#include "GEO/GEO_PrimVDB.h"
#include "GU/GU_Detail.h"
#include "solver/base/error.h"
#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

openvdb::FloatGrid::Ptr sphere(float radius) {
  openvdb::initialize();
  auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(radius, {0, 0, 0}, 0.1F);
  grid->setName("surface");
  return grid;
}

openvdb::Vec3SGrid::Ptr wind() {
  auto grid = openvdb::Vec3SGrid::create(openvdb::Vec3f(1, 2, 3));
  grid->setName("vel");
  return grid;
}

void add_vdb(GU_Detail& detail, const openvdb::GridBase::Ptr& grid) {
  detail.add_primitive(GEO_PRIMVDB, {},
                       std::make_shared<GEO_PrimVDB>(detail.next_primitive_offset(), grid));
}

std::string collider_error(const GU_Detail& detail) {
  try {
    read_colliders(detail, "input 3");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::uint64_t collider_hash(const GU_Detail& detail) {
  Hash hash;
  hash_colliders(read_colliders(detail, "input 3"), hash);
  return hash.value();
}

TEST(ColliderInput, TakesEveryLevelSetWithTheVelocityThatFollowsIt) {
  GU_Detail detail;
  const auto one = sphere(1), two = sphere(2);
  const auto velocity = wind();
  for (const openvdb::GridBase::Ptr& grid :
       {openvdb::GridBase::Ptr(one), openvdb::GridBase::Ptr(two), openvdb::GridBase::Ptr(velocity)})
    add_vdb(detail, grid);
  const auto colliders = read_colliders(detail, "input 3");
  ASSERT_EQ(colliders.size(), 2u);
  EXPECT_EQ(colliders[0].distance, one);
  EXPECT_EQ(colliders[0].velocity, nullptr);
  EXPECT_EQ(colliders[1].distance, two);
  EXPECT_EQ(colliders[1].velocity, velocity);
  EXPECT_EQ(colliders[1].name, "input 3, primitive 1 (surface)");
}

TEST(ColliderInput, PrimitiveAttributesWinOverThoseOfTheDetail) {
  GU_Detail detail;
  for (int k = 0; k < 2; ++k) add_vdb(detail, sphere(1));
  detail.addFloatTuple(GA_ATTRIB_DETAIL, "friction", 1)->set_number(0, 0, 0.25);
  EXPECT_EQ(read_colliders(detail, "input 3")[1].friction, 0.25);
  GA_Attribute* own = detail.addFloatTuple(GA_ATTRIB_PRIMITIVE, "friction", 1);
  own->set_number(detail.primitiveOffset(0), 0, 0.5);
  own->set_number(detail.primitiveOffset(1), 0, 0.75);
  const auto colliders = read_colliders(detail, "input 3");
  EXPECT_EQ(colliders[0].friction, 0.5);
  EXPECT_EQ(colliders[1].friction, 0.75);
  own->set_number(detail.primitiveOffset(1), 0, -1);
  EXPECT_THAT(collider_error(detail), HasSubstr("primitive 1 (surface): friction = -1"));
}

TEST(ColliderInput, FogAndLonelyVelocitiesAreRefused) {
  GU_Detail fog, lonely;
  auto grid = sphere(1);
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  add_vdb(fog, grid);
  EXPECT_THAT(collider_error(fog), HasSubstr("primitive 0 (surface): it is no level set"));
  add_vdb(lonely, wind());
  EXPECT_THAT(collider_error(lonely), HasSubstr("(vel): a velocity must come after"));
}

TEST(ColliderInput, TheHashIsOfTheValuesAndNotOfTheObject) {
  GU_Detail one, same, other, moved;
  add_vdb(one, sphere(1));
  add_vdb(same, sphere(1));
  add_vdb(other, sphere(1.05F));
  auto grid = sphere(1);
  grid->transform().postTranslate({0, 0.5, 0});
  add_vdb(moved, grid);
  EXPECT_EQ(collider_hash(one), collider_hash(same));
  EXPECT_NE(collider_hash(one), collider_hash(other));
  EXPECT_NE(collider_hash(one), collider_hash(moved));
}

TEST(ColliderInput, UntilTheSolverHasContactTheNodeSaysThatItIgnoresThem) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) { fill_detail(bar_scene(), detail); });
  network.connect(2, [](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); });
  network.cook(2);
  ASSERT_THAT(network.warnings(), ::testing::SizeIs(1));
  EXPECT_THAT(network.warnings()[0], HasSubstr("Input 3 is ignored"));
}

}  // namespace
}  // namespace dashpot
