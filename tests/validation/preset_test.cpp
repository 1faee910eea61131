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

// What a block, bent to the side and let go without gravity, does within two seconds.
struct Motion {
  std::vector<double> offset;  // of its top to the side, relative to the start; one per frame
  std::vector<double> energy;  // elastic and kinetic, relative to the start
  std::vector<double> speed;   // root of twice the kinetic energy, relative to that of the start's

  // Times that the top crosses its rest place.
  int crossings() const {
    int count = 0;
    for (std::size_t f = 1; f < offset.size(); ++f) count += offset[f - 1] * offset[f] < 0;
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
constexpr double kShear = 0.4;

Motion motion_of(const std::string& preset, double shear = kShear, double seconds = 2) {
  Body body = make_body(box_mesh({2, 4, 2}, {0.12, 0.24, 0.12}), {});
  apply_preset(find_preset(preset, "the test"), body);
  body.pins.push_back(pin_slab(body.mesh, 1, -1, 1e-9));
  for (int i = 0; i < body.mesh.point_count(); ++i)
    body.position(0, i) += shear * body.position(1, i);
  SolverSettings settings;
  settings.gravity.setZero();
  settings.substeps = 4;
  const Points rest = body.mesh.rest;
  const int top = body.mesh.point_count() - 1;
  Simulation simulation(make_scene(body, settings));
  const double start = simulation.measure().energy.total;
  const double reach = body.position(0, top) - rest(0, top);
  Motion motion;
  for (int f = 0; f <= std::lround(seconds * kFramesPerSecond); ++f) {
    const FrameReport report =
        f == 0 ? simulation.measure() : simulation.advance(1.0 / kFramesPerSecond);
    motion.offset.push_back((simulation.state().x(0, top) - rest(0, top)) / reach);
    motion.energy.push_back(report.energy.total / start);
    motion.speed.push_back(std::sqrt(report.energy.kinetic / start));
  }
  std::cout << "  " << preset << ": offset";
  for (std::size_t f = 0; f < motion.offset.size(); f += 6) std::cout << " " << motion.offset[f];
  std::cout << "; energy";
  for (std::size_t f = 0; f < motion.energy.size(); f += 6) std::cout << " " << motion.energy[f];
  std::cout << "; crossings " << motion.crossings() << "\n";
  return motion;
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

TEST(Presets, SpringyThenStillEndsInFiniteTimeAtItsRestShape) {
  const Motion springy = motion_of("springythenstill");
  EXPECT_GE(springy.crossings(), 3);
  EXPECT_LT(Motion::largest(springy.energy, 42), 1e-7);
  EXPECT_LT(Motion::largest(springy.offset, 42), 1e-3);
}

TEST(Presets, ShockAbsorberCatchesViolenceAndSparesTheRest) {
  const Motion hit = motion_of("shockabsorber", 0.8, 1);
  const Motion sway = motion_of("shockabsorber", 0.05, 1);
  EXPECT_LT(Motion::largest(hit.energy, 18), 0.15);
  EXPECT_GT(Motion::largest(sway.energy, 18), 0.5);
}

TEST(Presets, StiffWhenDeformedReturnsSlowlyFromFar) {
  const Motion far = motion_of("stiffwhendeformed", 0.6, 1);
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
