#include "solver/advice/scene_advice.h"

#include <gmock/gmock.h>
#include <tbb/global_control.h>

#include "solver/contact/plane_shape.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kFrame = 1.0 / 24;

// A bar of 1 m along x, held at x = 0, that a stretch sets swinging along itself at
// sqrt(E / rho) / 4 L = 7.906 Hz.
Scene stretched_bar() {
  Body bar =
      make_body(box_mesh({16, 3, 3}, {1, 0.3, 0.3}), {Material::kCorotated, 1e6, 0.0}, "bar");
  Pin pin;
  for (int i = 0; i < bar.mesh.point_count(); ++i) {
    if (bar.mesh.rest(0, i) == 0) pin.points.push_back(i);
    bar.position(0, i) *= 1.02;
  }
  bar.pins.push_back(pin);
  Scene scene;
  scene.settings.gravity.setZero();
  scene.bodies.push_back(bar);
  return scene;
}

Scene one_body(Body body) {
  Scene scene;
  scene.bodies.push_back(std::move(body));
  return scene;
}

TEST(SceneAdvice, AVibrationThatTheStepTakesAwayIsNamedWithWhatKeepsIt) {
  EXPECT_THAT(scene_advice(stretched_bar(), kFrame),
              ElementsAre("body 'bar' swings at 7.9 Hz: 3 steps per period, of which trbdf2 leaves "
                          "41 % after a second; substeps = 4 leaves 98 %."));
}

TEST(SceneAdvice, WhatItSuggestsIsEnough) {
  Scene scene = stretched_bar();
  scene.settings.substeps = 4;
  EXPECT_THAT(scene_advice(scene, kFrame), IsEmpty());
}

// The share that is said to be left, against a simulation: from the first to the third second, when
// only the slowest vibration is left.
TEST(SceneAdvice, TheShareThatIsLeftIsThatOfASimulation) {
  Simulation simulation(stretched_bar());
  double energy[4] = {};
  for (int frame = 0; frame <= 72; ++frame) {
    const FrameReport report = frame == 0 ? simulation.measure() : simulation.advance(kFrame);
    if (frame % 24 == 0) energy[frame / 24] = report.energy.total;
  }
  EXPECT_NEAR(std::sqrt(energy[3] / energy[2]), 0.41, 0.02);
}

TEST(SceneAdvice, DampingThatTakesMoreThanTheStepSilencesIt) {
  Scene scene = stretched_bar();
  scene.bodies[0].fields.set("dampingmodel", 2, "test");  // rayleigh
  scene.bodies[0].fields.set("dampingtime", 0.01, "test");
  EXPECT_THAT(scene_advice(scene, kFrame), IsEmpty());
  scene.bodies[0].fields.set("dampingtime", 1e-5, "test");
  EXPECT_THAT(scene_advice(scene, kFrame), ElementsAre(HasSubstr("swings at 7.9 Hz")));
}

TEST(SceneAdvice, OtherIntegratorsHaveTheirOwnNumbers) {
  Scene scene = stretched_bar();
  scene.settings.integrator = Integrator::kMidpoint;
  EXPECT_THAT(scene_advice(scene, kFrame), IsEmpty());
  scene.settings.integrator = Integrator::kBackwardEuler;
  EXPECT_THAT(scene_advice(scene, kFrame),
              ElementsAre(HasSubstr("integrator = \"trbdf2\" with substeps = 4 leaves 98 %")));
}

// The slowest vibration of a cube is torsion: 0.918 sqrt(mu / rho) / 2 L = 8.1 Hz (Saint-Venant),
// and this mesh is a little stiffer.
TEST(SceneAdvice, AFreeBodyIsJudgedByItsSlowestVibration) {
  Body cube = make_body(box_mesh({6, 6, 6}, {0.35, 0.35, 0.35}), {Material::kNeoHookean, 1e5, 0.3});
  EXPECT_THAT(scene_advice(one_body(cube), kFrame), ElementsAre(HasSubstr("swings at 8")));
  Body slow = make_body(box_mesh({6, 6, 6}, {1, 1, 1}), {Material::kNeoHookean, 1e5, 0.3});
  EXPECT_THAT(scene_advice(one_body(slow), kFrame), IsEmpty());
  // So stiff that frames do not show it.
  Body stiff = make_body(box_mesh({6, 6, 6}, {0.4, 0.4, 0.4}), {Material::kNeoHookean, 1e7, 0.3});
  EXPECT_THAT(scene_advice(one_body(stiff), kFrame), IsEmpty());
}

TEST(SceneAdvice, IsTheSameOnAnyNumberOfThreads) {
  const auto many = scene_advice(stretched_bar(), kFrame);
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  EXPECT_EQ(scene_advice(stretched_bar(), kFrame), many);
}

TEST(SceneAdvice, PointsThatStartInsideAColliderAreCounted) {
  Scene scene = one_body(make_body(box_mesh({4, 4, 4}, {1, 1, 1}), {}));
  SceneCollider floor;
  floor.collider.name = "floor";
  floor.collider.shape = std::make_shared<PlaneShape>(Vec3(0, 0.3, 0), Vec3(0, 1, 0));
  scene.colliders.push_back(floor);
  EXPECT_THAT(scene_advice(scene, kFrame),
              ElementsAre(HasSubstr("50 points of body 'body' start inside collider 'floor', up to "
                                    "0.3 m deep")));
  // Lying on it is not inside.
  scene.colliders[0].collider.shape = std::make_shared<PlaneShape>(Vec3::Zero(), Vec3(0, 1, 0));
  EXPECT_THAT(scene_advice(scene, kFrame), IsEmpty());
}

Body beam(int cells, double youngs = 1e6) {
  Body body =
      make_body(box_mesh({20, cells, cells}, {1, 0.1, 0.1}), {Material::kCorotated, youngs, 0.3});
  Pin pin;
  for (int i = 0; i < body.mesh.point_count(); ++i)
    if (body.mesh.rest(0, i) == 0) pin.points.push_back(i);
  body.pins.push_back(pin);
  return body;
}

TEST(SceneAdvice, ThinBodiesOfFewTetsAreTooStiff) {
  EXPECT_THAT(scene_advice(one_body(beam(1)), kFrame), ElementsAre(HasSubstr("only 1 tet thick")));
  EXPECT_THAT(scene_advice(one_body(beam(2)), kFrame), ElementsAre(HasSubstr("only 2 tets thick")));
  EXPECT_THAT(scene_advice(one_body(beam(3)), kFrame), IsEmpty());
  EXPECT_THAT(scene_advice(one_body(beam(4)), kFrame), IsEmpty());
}

TEST(SceneAdvice, CoarseButThickBodiesAreNoBeams) {
  EXPECT_THAT(scene_advice(one_body(make_body(box_mesh({2, 2, 2}, {1, 1, 1}), {})), kFrame),
              IsEmpty());
  EXPECT_THAT(scene_advice(one_body(make_body(box_mesh({3, 2, 3}, {1.5, 1, 1.5}), {})), kFrame),
              IsEmpty());
}

TEST(SceneAdvice, BodiesInCentimetresAreNoticedByTheirWeight) {
  const Body giant = make_body(box_mesh({4, 4, 4}, {100, 100, 100}), {});
  EXPECT_THAT(
      scene_advice(one_body(giant), kFrame),
      ElementsAre(::testing::AllOf(HasSubstr("is 100 m high"), HasSubstr("scale it by 0.01"),
                                   HasSubstr("youngsmodulus = 9.8e+06"))));
  const Body tower =
      make_body(box_mesh({4, 4, 4}, {100, 100, 100}), {Material::kNeoHookean, 1e9, 0.3});
  EXPECT_THAT(scene_advice(one_body(tower), kFrame), IsEmpty());
  const Body crumb = make_body(box_mesh({4, 4, 4}, {1e-4, 1e-4, 1e-4}), {});
  EXPECT_THAT(scene_advice(one_body(crumb), kFrame), ElementsAre(HasSubstr("only 0.1 mm large")));
}

TEST(SceneAdvice, PoissonRatiosThatCannotBeSolvedAreNamed) {
  EXPECT_THAT(scene_advice(one_body(make_body(box_mesh({4, 4, 4}, {1, 1, 1}),
                                              {Material::kNeoHookean, 1e5, 0.4999})),
                           kFrame),
              ::testing::Contains(HasSubstr("poissonratio = 0.4999 is so near 0.5")));
}

}  // namespace
}  // namespace dashpot
