// VDBs of the collider input, as the solver will take them.
#include "sop_plugin/collider_input.h"

#include "sop_plugin/collider_grids.h"
#include "sop_plugin/detail_view.h"

#include <gmock/gmock.h>
#include <openvdb/tools/LevelSetSphere.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "GAS/GAS_SubSolver.h"
#include "GEO/GEO_PrimVDB.h"
#include "GU/GU_Detail.h"
#include "solver/base/error.h"
#include "standalone/files/frame_name.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/scene/scene_file.h"
#include "tests/sop_plugin/network.h"
#include "tests/support/bodies.h"

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
    read_colliders(detail, "input 3", {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::uint64_t hash_of(const GU_Detail& detail) {
  return collider_hash(*read_colliders(detail, "input 3", {}));
}

bool same_voxels(const openvdb::GridBase::ConstPtr& made, const openvdb::GridBase& from) {
  return &made->constBaseTree() == &from.constBaseTree();
}

TEST(ColliderInput, TakesEveryLevelSetWithTheVelocityThatFollowsIt) {
  GU_Detail detail;
  const auto one = sphere(1), two = sphere(2);
  const auto velocity = wind();
  for (const openvdb::GridBase::Ptr& grid :
       {openvdb::GridBase::Ptr(one), openvdb::GridBase::Ptr(two), openvdb::GridBase::Ptr(velocity)})
    add_vdb(detail, grid);
  const auto colliders = read_colliders(detail, "input 3", {})->list;
  ASSERT_EQ(colliders.size(), 2u);
  EXPECT_TRUE(same_voxels(colliders[0].distance, *one));
  EXPECT_EQ(colliders[0].velocity, nullptr);
  EXPECT_TRUE(same_voxels(colliders[1].distance, *two));
  EXPECT_TRUE(same_voxels(colliders[1].velocity, *velocity));
  EXPECT_EQ(colliders[1].collider.name, "input 3, primitive 1 (surface)");
}

TEST(ColliderInput, PrimitiveAttributesWinOverThoseOfTheDetail) {
  GU_Detail detail;
  for (int k = 0; k < 2; ++k) add_vdb(detail, sphere(1));
  detail.addFloatTuple(GA_ATTRIB_DETAIL, "friction", 1)->set_number(0, 0, 0.25);
  const Collider defaults{"", nullptr, 0.9, 0.1};
  const Collider found = read_colliders(detail, "input 3", defaults)->list[1].collider;
  EXPECT_EQ(found.friction, 0.25);
  EXPECT_EQ(found.restitution, 0.1);
  GA_Attribute* own = detail.addFloatTuple(GA_ATTRIB_PRIMITIVE, "friction", 1);
  own->set_number(detail.primitiveOffset(0), 0, 0.5);
  own->set_number(detail.primitiveOffset(1), 0, 0.75);
  const auto colliders = read_colliders(detail, "input 3", {})->list;
  EXPECT_EQ(colliders[0].collider.friction, 0.5);
  EXPECT_EQ(colliders[1].collider.friction, 0.75);
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

TEST(ColliderInput, AVdbWithoutAGridIsRefusedByNumber) {
  GU_Detail detail;
  add_vdb(detail, sphere(1));
  add_vdb(detail, nullptr);
  EXPECT_THAT(collider_error(detail), HasSubstr("input 3, primitive 1 (): the VDB has no grid"));
}

TEST(ColliderInput, TheHashIsOfTheValuesAndNotOfTheObject) {
  GU_Detail one, same, other, moved;
  add_vdb(one, sphere(1));
  add_vdb(same, sphere(1));
  add_vdb(other, sphere(1.05F));
  auto grid = sphere(1);
  grid->transform().postTranslate({0, 0.5, 0});
  add_vdb(moved, grid);
  EXPECT_EQ(hash_of(one), hash_of(same));
  EXPECT_NE(hash_of(one), hash_of(other));
  EXPECT_NE(hash_of(one), hash_of(moved));
}

// As a Transform or a VDB node does when it cooks the next frame.
TEST(ColliderInput, WhatTheirNodeDoesToItsGridsLaterIsNotSeen) {
  GU_Detail detail;
  const auto grid = sphere(1);
  add_vdb(detail, grid);
  const auto before = read_colliders(detail, "input 3", {});
  const std::uint64_t hash = collider_hash(*before);
  grid->transform().postTranslate({0, 0.5, 0});
  EXPECT_EQ(collider_hash(*before), hash);
  // A node that asks may not edit voxels in place any more.
  EXPECT_FALSE(grid->isTreeUnique());
}

TEST(ColliderInput, AVdbThatMovesWithItsPointIsSeen) {
  // Houdini keeps the position of a VDB in P, and only that has a new data id.
  GU_Detail one, other;
  add_vdb(one, sphere(1));
  other.replaceWith(one);
  other.getP()->bumpDataId();
  EXPECT_NE(DetailView(one, "").collider_ids(), DetailView(other, "").collider_ids());
}

// A box above a ball.
Scene falling_box() {
  Scene scene;
  Body body = make_body(box_mesh({2, 2, 2}, {0.4, 0.4, 0.4}), {Material::kNeoHookean, 5e4, 0.3});
  body.position.colwise() += Vec3(-0.1, 1.02, -0.15);
  scene.bodies.push_back(std::move(body));
  return scene;
}

void fill_box(GU_Detail& detail, double) {
  fill_detail(falling_box(), detail);
}

double lowest(const Points& points) {
  return points.colwise().norm().minCoeff();
}

TEST(ColliderInput, BodiesRestOnTheLevelSet) {
  Network network;
  network.connect(0, fill_box);
  network.connect(2, [](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); });
  network.solver().set_parm("friction", 1);
  const Points shown = network.positions(24);
  ASSERT_THAT(network.errors(), ::testing::IsEmpty());
  EXPECT_GT(lowest(shown), 0.99);
  network.disconnect(2);
  EXPECT_LT(network.positions(24).row(1).minCoeff(), -1);
}

TEST(ColliderInput, AnyOrderOfFramesAndAMovingColliderGiveTheStraightRun) {
  const auto rising = [](GU_Detail& detail, double frame) {
    auto grid = sphere(1);
    grid->transform().postTranslate({0, 0.01 * frame, 0});
    add_vdb(detail, grid);
  };
  Network straight, scrubbed;
  for (Network* n : {&straight, &scrubbed}) {
    n->connect(0, fill_box);
    n->connect(2, rising, true);
  }
  std::vector<Points> run;
  for (int frame = 1; frame <= 14; ++frame) run.push_back(straight.positions(frame));
  ASSERT_THAT(straight.errors(), ::testing::IsEmpty());
  scrubbed.solver().set_parm("cacheenabled", 0);
  for (const int frame : {9, 3, 14, 2, 11, 10})
    EXPECT_EQ(scrubbed.positions(frame), run[static_cast<std::size_t>(frame - 1)]) << frame;
  // The ball carries the box up.
  EXPECT_GT(run.back().row(1).minCoeff(), run.front().row(1).minCoeff());
}

TEST(ColliderInput, ALongCatchUpDoesNotKeepTheGridsOfAllFrames) {
  std::vector<std::weak_ptr<const openvdb::TreeBase>> made;
  int most = 0;
  Network network;
  network.connect(0, fill_box);
  network.connect(
      2,
      [&](GU_Detail& detail, double frame) {
        auto grid = sphere(1);
        grid->transform().postTranslate({0, 0.001 * frame, 0});
        add_vdb(detail, grid);
        made.push_back(grid->treePtr());
        int alive = 0;
        for (const auto& tree : made) alive += !tree.expired();
        most = std::max(most, alive);
      },
      true);
  network.cook(20);
  ASSERT_THAT(network.errors(), ::testing::IsEmpty());
  EXPECT_GE(made.size(), 20u);
  EXPECT_LE(most, 6);
}

TEST(ColliderInput, AnEditOfTheColliderStartsAgain) {
  Network network;
  network.connect(0, fill_box);
  auto& ball = network.connect(2, [](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); });
  const Points before = network.positions(12);
  ball.edit([](GU_Detail& detail, double) { add_vdb(detail, sphere(0.9F)); });
  EXPECT_NE(network.positions(12), before);
  ball.edit([](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); });
  EXPECT_EQ(network.positions(12), before);
}

TEST(ColliderInput, WithoutVdbsTheNodeSaysThatNothingCollides) {
  Network network;
  network.connect(0, fill_box);
  network.connect(2, [](GU_Detail& detail, double) { detail.add_point(0, 0, 0); });
  network.cook(2);
  EXPECT_THAT(network.warnings(), ::testing::Contains(HasSubstr("Input 3 has no VDBs")));
}

void set_defaults(GAS_SubSolver& solver, const SIM_DataFactory& factory) {
  for (const PRM_Template* parm = factory.description()->templates; !parm->name.empty(); ++parm) {
    if (parm->type == "string" || parm->type == "oppath")
      solver.options().texts[parm->name] = parm->defaults[0].c_str();
    else if (parm->size == 2)
      solver.options().pairs[parm->name] = {std::stod(parm->defaults[0]),
                                            std::stod(parm->defaults[1])};
    else if (parm->type != "ramp_flt")
      solver.options().numbers[parm->name] = std::stod(parm->defaults[0]);
  }
}

TEST(ColliderInput, TheDopTakesThemFromAPathAndRewinds) {
  if (SIM_DataFactory::all().empty()) initializeSIM(nullptr);
  const SIM_DataFactory& factory = *SIM_DataFactory::all().front();
  const std::unique_ptr<GAS_SubSolver> solver(
      static_cast<GAS_SubSolver*>(factory.construct(&factory)));
  set_defaults(*solver, factory);
  standin::SourceNode ball([](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); }, false);
  standin::set_node("/obj/ball", &ball);
  solver->options().texts["colliderpath"] = "/obj/ball";
  SIM_Object object;
  object.forces.push_back(std::make_unique<SIM_ForceGravity>(UT_Vector3D(0, -9.81, 0)));
  SIM_Engine engine;
  standin::sim_errors().clear();
  std::vector<std::shared_ptr<GU_Detail>> frames = {std::make_shared<GU_Detail>()};
  fill_box(*frames[0], 1);
  const auto step = [&] {
    auto next = std::make_shared<GU_Detail>();
    next->replaceWith(*frames.back());
    object.geometry["Geometry"] = std::make_unique<SIM_GeometryCopy>(next);
    const double time = (static_cast<double>(frames.size()) - 1) / 24;
    ASSERT_TRUE(solver->solve(engine, &object, SIM_Time(time), SIM_Time(1.0 / 24)));
    frames.push_back(next);
  };
  Network sop;
  sop.connect(0, fill_box);
  sop.connect(2, [](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); });
  for (int k = 0; k < 13; ++k) step();
  const Points last = positions_of(*frames.back());
  EXPECT_EQ(last, sop.positions(14));
  EXPECT_GT(lowest(last), 0.99);
  frames.resize(6);
  for (int k = 0; k < 8; ++k) step();
  EXPECT_EQ(positions_of(*frames.back()), last);
  solver->options().texts["colliderpath"] = "/obj/nothing";
  auto next = std::make_shared<GU_Detail>();
  next->replaceWith(*frames.back());
  object.geometry["Geometry"] = std::make_unique<SIM_GeometryCopy>(next);
  EXPECT_FALSE(solver->solve(engine, &object, SIM_Time(0), SIM_Time(1.0 / 24)));
  EXPECT_THAT(standin::sim_errors().back().text, HasSubstr("there is no SOP '/obj/nothing'"));
}

// The state of a body that rests on two balls names them, and its points, by number.
TEST(ColliderInput, CollidersThatVanishAndPinsThatChangeBetweenDopStepsAreFollowed) {
  if (SIM_DataFactory::all().empty()) initializeSIM(nullptr);
  const SIM_DataFactory& factory = *SIM_DataFactory::all().front();
  const std::unique_ptr<GAS_SubSolver> solver(
      static_cast<GAS_SubSolver*>(factory.construct(&factory)));
  set_defaults(*solver, factory);
  const auto balls = [](int count) {
    return [count](GU_Detail& detail, double) {
      for (int k = 0; k < count; ++k) add_vdb(detail, sphere(1));
    };
  };
  standin::SourceNode source(balls(2), false);
  standin::set_node("/obj/balls", &source);
  solver->options().texts["colliderpath"] = "/obj/balls";
  SIM_Object object;
  object.forces.push_back(std::make_unique<SIM_ForceGravity>(UT_Vector3D(0, -9.81, 0)));
  SIM_Engine engine;
  standin::sim_errors().clear();
  auto detail = std::make_shared<GU_Detail>();
  fill_box(*detail, 1);
  object.geometry["Geometry"] = std::make_unique<SIM_GeometryCopy>(detail);
  const auto steps = [&](int count) {
    for (int k = 0; k < count; ++k)
      ASSERT_TRUE(solver->solve(engine, &object, SIM_Time(0), SIM_Time(1.0 / 24)));
  };
  steps(14);
  EXPECT_GT(lowest(positions_of(*detail)), 0.99);  // it rests
  source.edit(balls(1));
  steps(2);
  EXPECT_GT(lowest(positions_of(*detail)), 0.99);
  GA_Attribute* pins = detail->findAttribute(GA_ATTRIB_POINT, "pintoanimation");
  for (GA_Index i = 0; i < detail->getNumPoints() - 2; ++i)
    pins->set_number(detail->pointOffset(i), 0, 1);
  pins->bumpDataId();
  steps(2);
  source.edit(balls(0));
  steps(1);
  for (const standin::SimError& error : standin::sim_errors())
    EXPECT_EQ(error.severity, UT_ERROR_WARNING) << error.text;
}

TEST(ColliderInput, AColliderOfTheDopThatWasInterruptedIsNotUsed) {
  if (SIM_DataFactory::all().empty()) initializeSIM(nullptr);
  const SIM_DataFactory& factory = *SIM_DataFactory::all().front();
  const std::unique_ptr<GAS_SubSolver> solver(
      static_cast<GAS_SubSolver*>(factory.construct(&factory)));
  set_defaults(*solver, factory);
  standin::SourceNode ball([](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); }, true);
  standin::set_node("/obj/ball", &ball);
  solver->options().texts["colliderpath"] = "/obj/ball";
  SIM_Object object;
  SIM_Engine engine;
  standin::sim_errors().clear();
  auto detail = std::make_shared<GU_Detail>();
  fill_box(*detail, 1);
  const Points before = positions_of(*detail);
  object.geometry["Geometry"] = std::make_unique<SIM_GeometryCopy>(detail);
  for (int polls = 0; polls < 4; ++polls) {
    standin::interrupt_after(polls);
    EXPECT_FALSE(solver->solve(engine, &object, SIM_Time(0), SIM_Time(1.0 / 24))) << polls;
    standin::interrupt_after(-1);
    EXPECT_THAT(standin::sim_errors(), ::testing::IsEmpty()) << polls;
    EXPECT_EQ(positions_of(*detail), before) << polls;
  }
  EXPECT_TRUE(solver->solve(engine, &object, SIM_Time(0), SIM_Time(1.0 / 24)));
}

// A network that starts at another frame and runs at half speed.
TEST(ColliderInput, TheDopLooksAtTheTimelineAndNotAtItsOwnClock) {
  if (SIM_DataFactory::all().empty()) initializeSIM(nullptr);
  const SIM_DataFactory& factory = *SIM_DataFactory::all().front();
  const std::unique_ptr<GAS_SubSolver> solver(
      static_cast<GAS_SubSolver*>(factory.construct(&factory)));
  set_defaults(*solver, factory);
  std::vector<double> cooked;
  standin::SourceNode ball(
      [&](GU_Detail& detail, double frame) {
        cooked.push_back(frame);
        add_vdb(detail, sphere(1));
      },
      true);
  standin::set_node("/obj/ball", &ball);
  solver->options().texts["colliderpath"] = "/obj/ball";
  SIM_Object object;
  auto detail = std::make_shared<GU_Detail>();
  fill_box(*detail, 1);
  object.geometry["Geometry"] = std::make_unique<SIM_GeometryCopy>(detail);
  SIM_Engine engine;
  engine.offset = standin::time_of(1001);
  engine.scale = 2;
  ASSERT_TRUE(solver->solve(engine, &object, SIM_Time(3.0 / 24), SIM_Time(1.0 / 24)));
  ASSERT_EQ(cooked.size(), 2u);
  EXPECT_NEAR(cooked[0], 1007, 1e-9);
  EXPECT_NEAR(cooked[1], 1009, 1e-9);
}

TEST(ColliderInput, TheSameBitsAsTheCommandLineOnTheSameGrid) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("dashpot_vdb_" + std::to_string(getpid()));
  fs::create_directories(folder);
  openvdb::io::File((folder / "ball.vdb").string()).write({sphere(1)});
  std::ofstream(folder / "scene.toml")
      << "[simulation]\nframes = [1, 12]\n[[body]]\nname = \"box\"\n"
         "geometry = { type = \"box\", size = [0.4, 0.4, 0.4], cells = [2, 2, 2] }\n"
         "translate = [0.1, 1.25, 0.05]\n[[collider]]\nname = \"ball\"\nvdb = \"ball.vdb\"\n"
         "friction = 0.3\n";
  const SceneFile file = load_scene_file((folder / "scene.toml").string());
  ASSERT_EQ(std::system((std::string(DASHPOT_BIN_DIR) + "/dashpot simulate " +
                         (folder / "scene.toml").string() + " --progress none --out '" +
                         (folder / "f.$F4.bgeo").string() + "' > /dev/null")
                            .c_str()),
            0);
  Network network;
  network.set(file.scene.settings);
  network.connect(0, [&](GU_Detail& detail, double) { fill_detail(file.scene, detail); });
  network.connect(2, [](GU_Detail& detail, double) { add_vdb(detail, sphere(1)); });
  network.solver().set_parm("friction", 0.3);
  for (const int frame : {12, 7, 2}) {
    const Geometry expected = read_geometry((folder / frame_name("f.$F4.bgeo", frame)).string());
    EXPECT_EQ(rounded(network.positions(frame)), rounded(positions(expected))) << frame;
  }
  EXPECT_THAT(network.errors(), ::testing::IsEmpty());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace dashpot
