#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <vector>

#include "solver/host/presets.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

// What a block, twisted and let go without gravity, does within two seconds.
struct Motion {
  std::vector<double> offset;  // angle of its top, relative to the start; one per frame
  std::vector<double> energy;  // elastic and kinetic, relative to the start
  std::vector<double> speed;   // root of twice the kinetic energy, relative to that of the start's

  // Times that the top crosses its rest angle.
  int crossings(std::size_t begin = 0, std::size_t end = 1000) const {
    int count = 0;
    for (std::size_t f = begin + 1; f < std::min(end, offset.size()); ++f)
      count += offset[f - 1] * offset[f] < 0;
    return count;
  }
  // The largest of the frames from `begin` on.
  static double largest(const std::vector<double>& v, std::size_t begin, std::size_t end = 1000) {
    double result = 0;
    for (std::size_t f = begin; f < std::min(end, v.size()); ++f)
      result = std::max(result, std::abs(v[f]));
    return result;
  }
};

constexpr int kFramesPerSecond = 24;
constexpr double kBlockHeight = 0.24, kBlockWidth = 0.12;  // m
constexpr double kPi = 3.14159265358979;

// The slowest mode of a twisted bar, so that what is lost is lost to damping and not to the step.
void twist_body(Body& body, double angle) {
  for (int i = 0; i < body.mesh.point_count(); ++i) {
    const double a = angle * std::sin(kPi / 2 * body.position(1, i) / kBlockHeight);
    const Vec3 arm = body.position.col(i) - Vec3(kBlockWidth / 2, 0, kBlockWidth / 2);
    body.position.col(i) = Vec3(kBlockWidth / 2, 0, kBlockWidth / 2) +
                           Eigen::AngleAxisd(a, Vec3::UnitY()).toRotationMatrix() * arm;
  }
}

// Of the last corner of the top about the axis.
double top_angle(const Points& x) {
  const auto corner = x.col(x.cols() - 1);
  return std::remainder(
      kPi / 4 - std::atan2(corner.z() - kBlockWidth / 2, corner.x() - kBlockWidth / 2), 2 * kPi);
}

Motion motion_of(const Preset& preset, double angle = 0.7, double seconds = 2) {
  Body body = make_body(box_mesh({2, 4, 2}, {kBlockWidth, kBlockHeight, kBlockWidth}), {});
  apply_preset(preset, body);
  body.pins.push_back(pin_slab(body.mesh, 1, -1, 1e-9));
  twist_body(body, angle);
  SolverSettings settings;
  settings.gravity.setZero();
  settings.substeps = 4;
  Simulation simulation(make_scene(body, settings));
  const double start = simulation.measure().energy.total;
  Motion motion;
  for (int f = 0; f <= std::lround(seconds * kFramesPerSecond); ++f) {
    const FrameReport report =
        f == 0 ? simulation.measure() : simulation.advance(1.0 / kFramesPerSecond);
    motion.offset.push_back(top_angle(simulation.state().x) / angle);
    motion.energy.push_back(report.energy.total / start);
    motion.speed.push_back(std::sqrt(report.energy.kinetic / start));
  }
  std::cout << "  " << preset.token << ": offset";
  for (std::size_t f = 0; f < motion.offset.size(); f += 6) std::cout << " " << motion.offset[f];
  std::cout << "; energy";
  for (std::size_t f = 0; f < motion.energy.size(); f += 6) std::cout << " " << motion.energy[f];
  std::cout << "; crossings " << motion.crossings() << "\n";
  return motion;
}

Motion motion_of(const std::string& preset, double angle = 0.7, double seconds = 2) {
  return motion_of(find_preset(preset, "the test"), angle, seconds);
}

TEST(Presets, NamePartsOfTheDeclarationOnly) {
  const std::vector<std::string>& allowed = preset_parameters();
  for (const Preset& preset : presets()) {
    for (const Preset::Value& value : preset.values) {
      EXPECT_NE(std::find(allowed.begin(), allowed.end(), value.token), allowed.end())
          << preset.token << " sets " << value.token;
      check_number(parameter(value.token), value.number, preset.token);
    }
    EXPECT_EQ(preset_value(preset, "dampingrampmode") != 0, !preset.ramp.empty()) << preset.token;
    EXPECT_FALSE(preset.looks.empty() || preset.physics.empty()) << preset.token;
  }
}

TEST(Presets, JellySwingsForSeconds) {
  const Motion jelly = motion_of("jelly");
  EXPECT_GE(jelly.crossings(), 6);
  EXPECT_GT(Motion::largest(jelly.energy, 24), 0.1);
}

TEST(Presets, RubberIsFastAndSoonStill) {
  const Motion rubber = motion_of("rubber");
  EXPECT_LT(Motion::largest(rubber.energy, 24), 0.02);
  EXPECT_LT(Motion::largest(rubber.offset, 24), 0.1);
}

TEST(Presets, GelComesBackWithoutSwinging) {
  const Motion gel = motion_of("gel");
  EXPECT_EQ(gel.crossings(), 0);
  EXPECT_LT(gel.offset.back(), 0.05);
  EXPECT_GT(gel.offset[6], 0.3);
}

TEST(Presets, MemoryFoamKeepsADentForSeconds) {
  const Motion foam = motion_of("memoryfoam");
  EXPECT_EQ(foam.crossings(), 0);
  EXPECT_GT(foam.offset[24], 0.4);
  EXPECT_LT(foam.offset.back(), 0.5);
}

TEST(Presets, SoftClayStaysDeformedAndAtRest) {
  const Motion clay = motion_of("softclay");
  EXPECT_GT(clay.offset.back(), 0.3);
  EXPECT_LT(Motion::largest(clay.speed, 24), 1e-6);
}

TEST(Presets, FleshJigglesTwoOrThreeTimes) {
  const Motion flesh = motion_of("fleshjiggle");
  EXPECT_LT(Motion::largest(flesh.offset, 36), 0.1);
  EXPECT_GT(Motion::largest(flesh.offset, 6, 12), 0.15);
}

// With exponent 1 and the same strength the swings only get smaller.
TEST(Presets, SpringyThenStillStopsSwingingAtItsRestShape) {
  const Preset& springy = find_preset("springythenstill", "the test");
  const Motion still = motion_of(springy);
  Preset linear = springy;
  for (Preset::Value& value : linear.values)
    if (value.token == "dampingexponent") value.number = 1;
  const Motion swinging = motion_of(linear);
  EXPECT_GE(still.crossings(0, 24), 4);
  EXPECT_EQ(still.crossings(30), 0);
  EXPECT_GE(swinging.crossings(30), 4);
  EXPECT_LT(Motion::largest(still.offset, 30), 1e-3);
  EXPECT_LT(Motion::largest(still.speed, 30), 1e-4);
}

TEST(Presets, ShockAbsorberCatchesViolenceAndSparesTheRest) {
  const Motion hit = motion_of("shockabsorber", 1.0, 1);
  const Motion sway = motion_of("shockabsorber", 0.05, 1);
  EXPECT_LT(Motion::largest(hit.energy, 18), 0.15);
  EXPECT_GT(Motion::largest(sway.energy, 18), 0.5);
}

TEST(Presets, StiffWhenDeformedReturnsSlowlyFromFar) {
  const Motion far = motion_of("stiffwhendeformed", 1.0, 1);
  const Motion near = motion_of("stiffwhendeformed", 0.05, 1);
  EXPECT_GT(far.offset[3], 0.4);
  EXPECT_LT(near.offset[3], 0.2);
}

TEST(Presets, LooseNearRestTremblesOnAndTightNearRestStopsShort) {
  const Motion loose = motion_of("loosenearrest");
  EXPECT_LT(Motion::largest(loose.energy, 24), 0.15);
  EXPECT_GT(Motion::largest(loose.energy, 42), 0.3 * Motion::largest(loose.energy, 24, 30));
  const Motion tight = motion_of("tightnearrest");
  EXPECT_GT(Motion::largest(tight.energy, 6, 12), 0.3);
  EXPECT_LT(Motion::largest(tight.energy, 42), 0.01);
}

TEST(Presets, UndampedKeepsNineTenthsOfItsEnergyForTwoSeconds) {
  EXPECT_GT(motion_of("undamped").energy.back(), 0.9);
}

}  // namespace
}  // namespace dashpot
