#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <cmath>

#include "solver/mesh/rest_shape.h"
#include "tests/scene/scene_text.h"
#include "tests/support/parameters.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

Vec3 low_corner(const Points& points) {
  return points.rowwise().minCoeff();
}
Vec3 high_corner(const Points& points) {
  return points.rowwise().maxCoeff();
}

const RigidMotion& motion_of(const Body& body, std::size_t pin = 0) {
  return dynamic_cast<const RigidMotion&>(*body.pins.at(pin).motion);
}

TEST_F(SceneFileTest, EverythingHasADefaultExceptTheGeometry) {
  const SceneFile file = load("[[body]]\ngeometry = { type = \"box\" }\n");
  EXPECT_EQ(file.first_frame, 1);
  EXPECT_EQ(file.last_frame, 48);
  EXPECT_EQ(file.fps, 24.0);
  EXPECT_EQ(file.scene.settings.integrator, Integrator::kTrBdf2);
  EXPECT_EQ(file.scene.settings.gravity, Vec3(0, -9.81, 0));
  ASSERT_EQ(file.scene.bodies.size(), 1u);
  EXPECT_EQ(file.scene.bodies[0].name, "body1");
  EXPECT_EQ(file.scene.bodies[0].fields.get("youngsmodulus", 0), parameter("youngsmodulus").number);
  EXPECT_TRUE(file.scene.bodies[0].pins.empty());
  EXPECT_TRUE(file.scene.bodies[0].velocity.isZero(0));
}

TEST_F(SceneFileTest, EveryKeyOfTheSimulationIsRead) {
  const SceneFile file = load(
      "[simulation]\nframes = [10, 20]\nfps = 30\nintegrator = \"bdf2\"\nsubsteps = 3\n"
      "timescale = 0.5\ngravity = [1, 2, 3]\niterations = 7\ntolerance = 1e-3\n" +
      cube(""));
  EXPECT_EQ(file.first_frame, 10);
  EXPECT_EQ(file.last_frame, 20);
  EXPECT_EQ(file.fps, 30.0);
  const SolverSettings& settings = file.scene.settings;
  EXPECT_EQ(settings.integrator, Integrator::kBdf2);
  EXPECT_EQ(settings.substeps, 3);
  EXPECT_EQ(settings.timescale, 0.5);
  EXPECT_EQ(settings.gravity, Vec3(1, 2, 3));
  EXPECT_EQ(settings.iterations, 7);
  EXPECT_EQ(settings.tolerance, 1e-3);
}

TEST_F(SceneFileTest, EveryDeclaredSolverParameterIsAKeyOfTheSimulation) {
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kSolver) continue;
    const double other = other_number(p);
    std::string text = std::to_string(other);
    if (p.type == ParameterType::kVector3) text = "[" + text + ", " + text + ", " + text + "]";
    if (p.type == ParameterType::kMenu)
      text = "\"" + p.menu[static_cast<std::size_t>(other)].token + "\"";
    const SceneFile file = load_cube("", {"simulation." + p.token + "=" + text});
    const ParameterValue value = p.setting.get(file.scene.settings);
    EXPECT_NEAR(p.type == ParameterType::kVector3 ? value.vector.z() : value.number, other, 1e-6)
        << p.token;
  }
}

TEST_F(SceneFileTest, SwitchesAreTrueOrFalseOrOneOrZero) {
  const auto conserves = [&](const std::string& word) {
    return load_cube("", {"simulation.conserveangular=" + word}).scene.settings.conserve_angular;
  };
  EXPECT_FALSE(conserves("false"));
  EXPECT_FALSE(conserves("0"));
  EXPECT_TRUE(conserves("true"));
  EXPECT_TRUE(conserves("1"));
  EXPECT_EQ(load_cube("pintoanimation = true\n").scene.bodies[0].pins.size(), 1u);
  EXPECT_EQ(load_cube("pintoanimation = false\n").scene.bodies[0].pins.size(), 0u);
}

TEST_F(SceneFileTest, EveryDeclaredPrimParameterIsAKeyOfABody) {
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kPrim) continue;
    const bool is_menu = p.type == ParameterType::kMenu;
    const double other = is_menu ? static_cast<double>(p.menu.size()) - 1 : 0.5 * p.number + 0.125;
    const std::string text = is_menu ? "\"" + p.menu.back().token + "\"" : std::to_string(other);
    const SceneFile file = load_cube(p.token + " = " + text + "\n");
    EXPECT_NEAR(file.scene.bodies[0].fields.get(p.token, 3), other, 1e-5) << p.token;
  }
}

TEST_F(SceneFileTest, RampsHaveKeysAndOneInterpolationOrOneEach) {
  const auto ramp = [&](const std::string& table) {
    return load_cube("dampingramp = " + table).scene.bodies[0].damping_ramp;
  };
  EXPECT_EQ(load_cube("").scene.bodies[0].damping_ramp, nullptr);
  const auto one = ramp("{ keys = [[0.7, 1], [1.0, 0.1], [1.3, 2]], interp = \"linear\" }");
  EXPECT_DOUBLE_EQ(one->value(0.85), 0.55);
  EXPECT_DOUBLE_EQ(one->value(1.15), 1.05);
  const auto each = ramp(
      "{ keys = [[0, 0], [1, 1], [2, 0]], interp = [\"linear\", \"catmull-rom\", \"bezier\"] }");
  EXPECT_EQ(each->keys()[0].interpolation, RampInterpolation::kLinear);
  EXPECT_EQ(each->keys()[1].interpolation, RampInterpolation::kCatmullRom);
  EXPECT_EQ(each->keys()[2].interpolation, RampInterpolation::kBezier);
}

TEST_F(SceneFileTest, AllShapesAreBuilt) {
  const SceneFile file = load(
      "[[body]]\nname = \"a\"\ngeometry = { type = \"sphere\", radius = 2, cells = 4 }\n"
      "[[body]]\nname = \"b\"\ngeometry = { type = \"cylinder\", radius = 1, height = 5, cells = 4 "
      "}\n"
      "[[body]]\nname = \"c\"\ngeometry = { type = \"torus\", radius = 2, thickness = 0.5, cells = "
      "12 }\n"
      "[[body]]\nname = \"d\"\ngeometry = { type = \"box\", size = [1, 2, 3], cells = 2 }\n");
  ASSERT_EQ(file.scene.bodies.size(), 4u);
  EXPECT_NEAR(high_corner(file.scene.bodies[0].position).x(), 2, 1e-9);
  EXPECT_NEAR(high_corner(file.scene.bodies[1].position).y(), 2.5, 1e-9);
  EXPECT_NEAR(high_corner(file.scene.bodies[2].position).y(), 0.5, 1e-9);
  EXPECT_NEAR(high_corner(file.scene.bodies[3].position).z(), 1.5, 1e-9);
  EXPECT_EQ(file.sources[2].description, "torus");
}

TEST_F(SceneFileTest, GeometryFilesAreRelativeToTheSceneFile) {
  write("tet.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  write("tet.ele", "1 4 0\n0 0 1 2 3\n");
  const SceneFile file = load("[[body]]\ngeometry = \"tet.node\"\n");
  EXPECT_EQ(file.scene.bodies[0].mesh.tet_count(), 1);
  EXPECT_EQ(file.scene.bodies[0].mesh.point_count(), 4);
}

TEST_F(SceneFileTest, BodiesAreScaledThenTurnedThenMoved) {
  const SceneFile file =
      load_cube("scale = [2, 1, 1]\nrotate = [0, 0, 90]\ntranslate = [10, 0, 0]\n");
  const Points& x = file.scene.bodies[0].position;
  EXPECT_TRUE(low_corner(x).isApprox(Vec3(9.5, -1, -0.5), 1e-12));
  EXPECT_TRUE(high_corner(x).isApprox(Vec3(10.5, 1, 0.5), 1e-12));
  // The rest shape is scaled, too: the body starts without strain.
  EXPECT_EQ(file.scene.bodies[0].mesh.rest, x);
}

TEST_F(SceneFileTest, RotationTurnsAboutXThenYThenZ) {
  const SceneFile file = load_cube("scale = [1, 1, 4]\nrotate = [90, 0, 90]\n");
  // The long axis goes from z to -y by the turn about x, and from there to x by the turn about z.
  EXPECT_NEAR(high_corner(file.scene.bodies[0].position).x(), 2, 1e-12);
}

TEST_F(SceneFileTest, PinBoxesAreTestedInTheWorldBeforeTheDeformation) {
  const SceneFile file = load_cube(
      "translate = [5, 0, 0]\npin = { box = [[4.4, -1, -1], [4.6, 1, 1]] }\n"
      "deform = [[3, 0, 0], [0, 1, 0], [0, 0, 1]]\n");
  const Body& body = file.scene.bodies[0];
  ASSERT_EQ(body.pins.size(), 1u);
  EXPECT_EQ(body.pins[0].points.size(), 9u);
  EXPECT_EQ(body.pins[0].motion, nullptr);
  for (const int i : body.pins[0].points) EXPECT_NEAR(body.position(0, i), 4.5, 1e-12);
  // Stretched threefold away from the pinned face.
  EXPECT_NEAR(high_corner(body.position).x(), 7.5, 1e-12);
}

TEST_F(SceneFileTest, SeveralPinsHaveTheirOwnMotions) {
  const SceneFile file = load_cube(
      "pin = [{ box = [[-1, -1, -1], [-0.4, 1, 1]] },\n"
      "       { box = [[0.4, -1, -1], [1, 1, 1]], motion = { velocity = [1, 0, 0], "
      "angularvelocity = [2, 0, 0], amplitude = [0, 3, 0], frequency = 4, start = 5, end = 6 } "
      "}]\n");
  const Body& body = file.scene.bodies[0];
  ASSERT_EQ(body.pins.size(), 2u);
  EXPECT_EQ(body.pins[0].motion, nullptr);
  const RigidMotion& motion = motion_of(body, 1);
  EXPECT_EQ(motion.velocity, Vec3(1, 0, 0));
  EXPECT_EQ(motion.angular_velocity, Vec3(2, 0, 0));
  EXPECT_EQ(motion.amplitude, Vec3(0, 3, 0));
  EXPECT_EQ(motion.frequency, 4);
  EXPECT_EQ(motion.start, 5);
  EXPECT_EQ(motion.end, 6);
  EXPECT_TRUE(motion.pivot.isApprox(Vec3(0.5, 0, 0), 1e-12)) << "the pinned points' centroid";
}

TEST_F(SceneFileTest, APivotMayBeGiven) {
  const SceneFile file = load_cube(
      "pin = { box = [[-1, -1, -1], [-0.4, 1, 1]], motion = { angularvelocity = [0, 1, 0], pivot = "
      "[1, 2, 3] } }\n");
  EXPECT_EQ(motion_of(file.scene.bodies[0]).pivot, Vec3(1, 2, 3));
}

TEST_F(SceneFileTest, PinToAnimationPinsEveryPoint) {
  const SceneFile file = load_cube("pintoanimation = 1\n");
  ASSERT_EQ(file.scene.bodies[0].pins.size(), 1u);
  EXPECT_EQ(file.scene.bodies[0].pins[0].points.size(), 27u);
}

TEST_F(SceneFileTest, DeformationIsAboutTheCentreOfMassOfAFreeBody) {
  const SceneFile file =
      load_cube("translate = [5, 0, 0]\ndeform = [[1, 1, 0], [0, 1, 0], [0, 0, 2]]\n");
  const Body& body = file.scene.bodies[0];
  EXPECT_NEAR(high_corner(body.position).x(), 6, 1e-12) << "sheared by y = 0.5";
  EXPECT_NEAR(high_corner(body.position).z(), 1, 1e-12);
  EXPECT_NEAR(high_corner(body.mesh.rest).z(), 0.5, 1e-12) << "the rest shape is not deformed";
}

TEST_F(SceneFileTest, TwistGrowsFromNothingToTheGivenAngleAlongTheAxis) {
  const SceneFile file = load_cube("twist = { axis = [0, 0, 1], degrees = 90 }\n");
  const Body& body = file.scene.bodies[0];
  for (Eigen::Index i = 0; i < body.position.cols(); ++i) {
    const Vec3 rest = body.mesh.rest.col(i);
    const double angle = (rest.z() + 0.5) * std::acos(0.0);
    const Vec3 expected(std::cos(angle) * rest.x() - std::sin(angle) * rest.y(),
                        std::sin(angle) * rest.x() + std::cos(angle) * rest.y(), rest.z());
    EXPECT_TRUE(body.position.col(i).isApprox(expected, 1e-12) ||
                (body.position.col(i) - expected).norm() < 1e-12);
  }
}

TEST_F(SceneFileTest, CollapsePutsTheFreePointsIntoOnePlace) {
  const SceneFile file = load_cube(
      "scramble = { mode = \"collapse\" }\npin = { box = [[-1, -1, -1], [-0.4, 1, 1]] }\n");
  const Body& body = file.scene.bodies[0];
  int at_center = 0;
  for (Eigen::Index i = 0; i < body.position.cols(); ++i)
    if (body.position.col(i).norm() == 0) ++at_center;
  EXPECT_EQ(at_center, 18);
}

TEST_F(SceneFileTest, RandomizeFillsABoxAndDependsOnTheSeedOnly) {
  const auto positions = [&](const std::string& seed) {
    return load_cube("scramble = { mode = \"randomize\", size = 4, seed = " + seed + " }\n")
        .scene.bodies[0]
        .position;
  };
  const Points x = positions("1");
  EXPECT_EQ(x, positions("1"));
  EXPECT_NE(x, positions("2"));
  EXPECT_GE(x.minCoeff(), -2);
  EXPECT_LE(x.maxCoeff(), 2);
  EXPECT_LT(x.minCoeff(), -1.5);
  EXPECT_GT(x.maxCoeff(), 1.5);
}

TEST_F(SceneFileTest, VelocitiesAddUp) {
  const SceneFile file = load_cube(
      "translate = [5, 0, 0]\nvelocity = [1, 0, 0]\nangularvelocity = [0, 0, 2]\n"
      "velocitygradient = [[3, 0, 0], [0, 0, 0], [0, 0, 0]]\n");
  const Body& body = file.scene.bodies[0];
  for (Eigen::Index i = 0; i < body.position.cols(); ++i) {
    const Vec3 arm = body.position.col(i) - Vec3(5, 0, 0);
    const Vec3 expected = Vec3(1 + 3 * arm.x(), 0, 0) + Vec3(0, 0, 2).cross(arm);
    EXPECT_LT((body.velocity.col(i) - expected).norm(), 1e-12);
  }
}

TEST_F(SceneFileTest, PinnedPointsStartAtRest) {
  const SceneFile file =
      load_cube("velocity = [1, 0, 0]\npin = { box = [[-1, -1, -1], [-0.4, 1, 1]] }\n");
  const Body& body = file.scene.bodies[0];
  for (const int i : body.pins[0].points) EXPECT_EQ(body.velocity.col(i).norm(), 0);
  EXPECT_EQ(body.velocity.row(0).sum(), 18);
}

TEST_F(SceneFileTest, OverridesReplaceAndAddKeys) {
  const SceneFile file = load_cube(
      "youngsmodulus = 1e4\npin = { box = [[-1, -1, -1], [-0.4, 1, 1]] }\n",
      {"simulation.integrator=bdf2", "simulation.gravity=[0, 0, -1]", "simulation.frames=[1,5]",
       "body.cube.youngsmodulus=2e5", "body.cube.pin.motion.velocity=[0,1,0]"});
  EXPECT_EQ(file.scene.settings.integrator, Integrator::kBdf2);
  EXPECT_EQ(file.scene.settings.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(file.last_frame, 5);
  EXPECT_EQ(file.scene.bodies[0].fields.get("youngsmodulus", 0), 2e5);
  EXPECT_EQ(motion_of(file.scene.bodies[0]).velocity, Vec3(0, 1, 0));
}

TEST_F(SceneFileTest, OverridesReachBodiesWhoseNamesHaveDots) {
  const std::string box = "geometry = { type = \"box\", cells = 1 }\n";
  const SceneFile file =
      load("[[body]]\nname = \"a\"\n" + box + "[[body]]\nname = \"a.b\"\n" + box +
               "[[body]]\nname = \"a.b.c\"\n" + box,
           {"body.a.massdensity=1", "body.a.b.massdensity=2", "body.a.b.c.massdensity=3"});
  for (std::size_t b = 0; b < 3; ++b)
    EXPECT_EQ(file.scene.bodies[b].fields.get("massdensity", 0), static_cast<double>(b) + 1);
}

TEST_F(SceneFileTest, KnowsAllFilesThatItRead) {
  const SceneFile shape = load_cube("");
  EXPECT_TRUE(shape.inputs.has(shape.path));
  write("m.node", "4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n");
  write("m.ele", "1 4 0\n0 0 1 2 3\n");
  const SceneFile mesh = load("[[body]]\ngeometry = \"m.ele\"\n");
  for (const char* name : {"scene.toml", "m.node", "m.ele"})
    EXPECT_TRUE(mesh.inputs.has(folder_ / name)) << name;
}

TEST_F(SceneFileTest, OverridesReachIntoArraysByNumber) {
  const SceneFile file = load_cube("pin = [{ box = [[-1, -1, -1], [-0.4, 1, 1]] }]\n",
                                   {"body.cube.pin.0.motion.velocity=[0,1,0]"});
  EXPECT_EQ(motion_of(file.scene.bodies[0]).velocity, Vec3(0, 1, 0));
}

TEST_F(SceneFileTest, LaterOverridesWin) {
  const SceneFile file = load_cube("", {"simulation.substeps=2", "simulation.substeps=5"});
  EXPECT_EQ(file.scene.settings.substeps, 5);
}

TEST_F(SceneFileTest, EveryExampleLoads) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(DASHPOT_SOURCE_DIR) + "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(load_scene_file(entry.path().string())) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace dashpot
