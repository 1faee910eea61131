// Laws that hold in contact whatever iterations and rules do: the smallest scenes like those of
// tools/contact_fuzz that broke them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kLawFrame = 1.0 / 24;

// What a run made from nothing in its worst frame, in parts of the energy that moved.
struct Made {
  double lost_falls = 0, total_rises = 0;
  bool touched = false;
};

Made energy_made(const Scene& scene, int frames) {
  Simulation simulation(scene);
  EnergyLedger before = simulation.measure().energy;
  Made made;
  double moved = before.kinetic;
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = simulation.advance(kLawFrame);
    const EnergyLedger& now = report.energy;
    made.lost_falls = std::max(made.lost_falls, before.lost - now.lost);
    made.total_rises =
        std::max(made.total_rises, (now.total - now.work) - (before.total - before.work));
    made.touched = made.touched || report.contact.normal_impulse > 0;
    moved = std::max(moved, now.kinetic + now.elastic);
    before = now;
  }
  made.lost_falls /= moved;
  made.total_rises /= moved;
  return made;
}

void expect_none(const Made& made) {
  EXPECT_TRUE(made.touched);
  EXPECT_LT(made.lost_falls, 1e-3);
  EXPECT_LT(made.total_rises, 1e-3);
}

Body named_ball(const char* name, double radius, int cells, const Vec3& at,
                const Elastic& elastic) {
  Body ball = make_body(ball_mesh(cells, radius), elastic, name);
  ball.position.colwise() += at;
  return ball;
}

// Two balls that meet off centre in space; damped ones know their momenta as well.
struct Encounter {
  double youngs, speed;
};
class PairInSpace : public testing::TestWithParam<Encounter> {};
INSTANTIATE_TEST_SUITE_P(Of, PairInSpace,
                         testing::Values(Encounter{1e5, 2}, Encounter{1e6, 2}, Encounter{1e9, 2},
                                         Encounter{1e6, 10}));

TEST_P(PairInSpace, KeepsItsMomenta) {
  const auto [youngs, speed] = GetParam();
  const Elastic elastic{Material::kNeoHookean, youngs, 0.3};
  Scene scene;
  scene.settings.gravity.setZero();
  scene.settings.substeps = 4;
  scene.bodies = {named_ball("left", 0.3, 5, {-0.32, 0.05, 0}, elastic),
                  named_ball("right", 0.3, 4, {0.32, -0.05, 0.02}, elastic)};
  scene.bodies[0].velocity.row(0).setConstant(speed);
  scene.bodies[1].velocity.row(0).setConstant(-speed);
  for (Body& body : scene.bodies) body.contact.friction = 0.3;
  Simulation simulation(scene);
  const FrameReport start = simulation.measure();
  const double scale = speed * total_mass(scene.bodies[0]);
  double impulse = 0;
  for (int f = 0; f < 10; ++f) {
    const FrameReport report = simulation.advance(kLawFrame);
    impulse += report.contact.normal_impulse;
    EXPECT_LT((report.all.linear_momentum - start.all.linear_momentum).norm(), 1e-10 * scale) << f;
    EXPECT_LT((report.all.angular_momentum - start.all.angular_momentum).norm(),
              0.01 * start.all.angular_momentum.norm())
        << f;
    EXPECT_LT(report.energy.total, 1.005 * start.energy.total) << f;
  }
  EXPECT_GT(impulse, 0.5 * scale);
}

// A stiff block that lands on an edge and flies on, turning by half a radian per step: what the hit
// left of vibration doubled its energy in four frames.
TEST(AfterAHit, AStiffBlockThatTurnsMakesNoEnergy) {
  for (const double degrees : {20.0, 35.0, 60.0}) {
    Body block =
        make_body(box_mesh({2, 1, 2}, {0.39, 0.2, 0.27}), {Material::kCorotated, 4e7, 0.4});
    const Vec3 middle = block.position.rowwise().mean();
    const Mat3 turn =
        Eigen::AngleAxisd(degrees * M_PI / 180, Vec3(1, 0.4, 1).normalized()).toRotationMatrix();
    block.position = turn * (block.position.colwise() - middle);
    block.position.row(1).array() += 0.3;
    block.velocity.row(1).setConstant(-4);
    Scene scene = make_scene(block, {});
    scene.settings.substeps = 2;
    scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), 0, 1));
    expect_none(energy_made(scene, 10));
  }
}

// Stencils of where a stage began hold back what slides over the edges of another mesh.
TEST(OnASlopeOfAnotherBody, ABlockSlidesAsCoulombSays) {
  for (const double youngs : {1e7, 1e9}) {
    const Elastic elastic{Material::kNeoHookean, youngs, 0.3};
    Body slab = make_body(box_mesh({7, 1, 3}, {1.4, 0.1, 0.5}), elastic, "slab");
    slab.pins.push_back(pin_slab(slab.mesh, 1, -1, 1e-9));
    Body block = make_body(box_mesh({3, 3, 2}, {0.3, 0.3, 0.3}), elastic, "block");
    block.position.colwise() += Vec3(0.2, 0.1002, 0.1);
    for (Body* body : {&slab, &block}) body->contact.friction = 0.4;
    Scene scene;
    scene.bodies = {slab, block};
    scene.settings.gravity = 9.81 * Vec3(0.5, -std::sqrt(0.75), 0);
    Simulation simulation(scene);
    constexpr int kFrames = 20;
    FrameReport report;
    for (int f = 0; f < kFrames; ++f) report = simulation.advance(kLawFrame);
    const double speed = report.bodies[1].linear_momentum.x() / total_mass(scene.bodies[1]);
    const double theory = 9.81 * (0.5 - 0.4 * std::sqrt(0.75)) * kFrames * kLawFrame;
    EXPECT_NEAR(speed / theory, 1, 0.01) << youngs;
  }
}

}  // namespace
}  // namespace dashpot
