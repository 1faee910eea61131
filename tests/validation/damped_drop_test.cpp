// Damped bodies that fall on something: no frame makes energy, whatever the damping, the pose and
// the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

#include "solver/host/presets.h"
#include "solver/simulation/energies.h"
#include "solver/simulation/simulation.h"
#include "solver/simulation/simulation_model.h"
#include "tests/support/colliders.h"
#include "tests/support/random_numbers.h"
#include "tests/validation/damped_bodies.h"

namespace dashpot {
namespace {

constexpr double kEdge = 0.4;  // m

Mat3 turn_by(const Vec3& degrees) {
  const auto about = [](double angle, const Vec3& axis) {
    return Eigen::AngleAxisd(angle * M_PI / 180, axis).toRotationMatrix();
  };
  return about(degrees.z(), Vec3::UnitZ()) * about(degrees.y(), Vec3::UnitY()) *
         about(degrees.x(), Vec3::UnitX());
}

Body cube(int cells, const Elastic& elastic, double height, const Vec3& degrees) {
  Body body = make_body(box_mesh({cells, cells, cells}, {kEdge, kEdge, kEdge}), elastic);
  body.position = turn_by(degrees) * (body.position.colwise() - Vec3::Constant(kEdge / 2));
  body.position.row(1).array() += height;
  return body;
}

Scene drop(Body body, int substeps, double friction = 0, double restitution = 0) {
  SolverSettings settings;
  settings.substeps = substeps;
  Scene scene = make_scene(std::move(body), settings);
  scene.colliders.push_back(make_plane(Vec3::Zero(), Vec3::UnitY(), friction, restitution));
  return scene;
}

// The worst frames of a run, J.
struct WorstFrames {
  double fall = 0;         // of `lost`: energy from nowhere
  double rise = 0;         // of the total, beyond the work done
  double largest = 0;      // kinetic energy
  double min_stretch = 1;  // of any tet
  double height = 0;       // of the centre, after the fall
  int warned = 0;
  double lost = 0;
};

WorstFrames run_drop(const Scene& scene, int frames) {
  Simulation simulation(scene);
  EnergyLedger before = simulation.measure().energy;
  WorstFrames worst;
  for (int f = 0; f < frames; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    const EnergyLedger& now = report.energy;
    worst.fall = std::max(worst.fall, before.lost - now.lost);
    worst.rise = std::max(worst.rise, (now.total - now.work) - (before.total - before.work));
    worst.largest = std::max(worst.largest, now.kinetic);
    worst.min_stretch = std::min(worst.min_stretch, report.all.min_stretch);
    if (f >= 10) worst.height = std::max(worst.height, report.all.center_of_mass.y());
    worst.warned += report.status != 0;
    worst.lost = now.lost;
    before = now;
  }
  return worst;
}

TEST(DampedDrop, DissipatesNoMoreThanItHas) {
  Body body = cube(5, {}, 0.7, {20, 30, 0});
  body.fields.set("dampingmodel", static_cast<int>(DampingModel::kStretchRate), "body");
  body.fields.set("dampingstrength", 2000, "body");
  const WorstFrames worst = run_drop(drop(body, 1, 0.5), 23);
  EXPECT_LT(worst.fall, 1e-3 * worst.largest);
  EXPECT_LT(worst.rise, 1e-4 * worst.largest);
  EXPECT_GE(worst.lost, 0);
  EXPECT_LT(worst.lost, 0.02 * worst.largest);
  EXPECT_EQ(worst.warned, 0);
}

class PresetDrop : public testing::TestWithParam<std::pair<const char*, int>> {};
INSTANTIATE_TEST_SUITE_P(Substeps, PresetDrop,
                         testing::Values(std::make_pair("memoryfoam", 1),
                                         std::make_pair("memoryfoam", 2), std::make_pair("gel", 1),
                                         std::make_pair("rubber", 1),
                                         std::make_pair("shockabsorber", 1)),
                         [](const auto& info) {
                           return std::string(info.param.first) + std::to_string(info.param.second);
                         });

// On a corner, by half a metre.
TEST_P(PresetDrop, MakesNoEnergyAndDoesNotHop) {
  Body body = cube(4, {}, 0.7, {20, 30, 0});
  apply_preset(find_preset(GetParam().first, "the test"), body);
  const WorstFrames worst = run_drop(drop(body, GetParam().second), 40);
  EXPECT_LT(worst.fall, 1e-3 * worst.largest);
  EXPECT_LT(worst.rise, 5e-4 * worst.largest);
  EXPECT_GT(worst.min_stretch, 0.2);
  EXPECT_EQ(worst.warned, 0);
  // It tumbles onto a face, half a metre below where it was let go.
  const bool hops = std::string(GetParam().first) == "memoryfoam" && worst.height > 0.26;
  EXPECT_FALSE(hops) << worst.height;
}

// The same in every model, over three decades of stiffness, damping and with every kind of contact.
class RandomDrop : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomDrop, testing::Range(1, 13));

TEST_P(RandomDrop, MakesNoEnergy) {
  RandomNumbers random(GetParam());
  const auto choose = [&](auto... choices) {
    const std::common_type_t<decltype(choices)...> all[] = {choices...};
    return all[static_cast<int>(random.between(0, sizeof...(choices)))];
  };
  const Elastic elastic{
      choose(Material::kCorotated, Material::kNeoHookean, Material::kStvk, Material::kArap),
      std::pow(10, random.between(3.5, 7)), choose(0.1, 0.3, 0.45)};
  Body body = cube(3, elastic, 0.6, 45 * (random.vector() + Vec3::Ones()));
  body.velocity.colwise() += Vec3(3 * random.next(), random.between(-8, 0), 3 * random.next());
  const DampingModel model = kAllDampingModels[GetParam() % 5];
  set_damping(body, model, std::pow(10, random.between(-2.5, 0.5)), choose(1.0, 1.0, 0.5, 2.0));
  Scene scene = drop(body, choose(1, 1, 2, 4), choose(0.0, 0.3, 1.0), choose(0.0, 0.0, 0.5));
  const WorstFrames worst = run_drop(scene, 24);
  std::cout << "  " << name(model) << ", " << elastic.youngs << " Pa: lost falls by "
            << worst.fall / worst.largest << ", total rises by " << worst.rise / worst.largest
            << ", " << worst.warned << " frames warned\n";
  EXPECT_LT(worst.fall, 0.01 * worst.largest);
  EXPECT_LT(worst.rise, 1e-3 * worst.largest);
}

// Rules that look back see a past that contact made up. It leads to what a hit left of the motion,
// and damping has no part in it: a past with the damping force of stopped points in it was
// stretched up to seventeen times.
TEST(DampedDrop, MakesUpAPastOfThePresentShape) {
  Body body = cube(4, {}, 0.7, {20, 30, 0});
  body.fields.set("dampingmodel", static_cast<int>(DampingModel::kStretchRate), "body");
  body.fields.set("dampingstrength", 2000, "body");
  const Scene scene = drop(body, 1, 0.5);
  const SimulationModel system(scene);
  Simulation simulation(scene);
  bool touched = false;
  for (int f = 0; f < 16; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    touched = touched || report.contact.contacts > 0;
    const StretchRange past = stretch_range(system, simulation.state().x_previous);
    EXPECT_GT(past.min, 0.5 * report.all.min_stretch) << "frame " << f;
    EXPECT_LT(past.max, 2 * report.all.max_stretch) << "frame " << f;
  }
  EXPECT_TRUE(touched);
}

// Friction inside the material that gravity cannot overcome.
TEST(DryBeam, StaysWhereItIs) {
  Body body = make_body(box_mesh({10, 2, 2}, {1, 0.2, 0.2}), {});
  body.fields.set("dampingmodel", static_cast<int>(DampingModel::kStretchRate), "body");
  body.fields.set("dampingstrength", 1e5, "body");
  body.fields.set("dampingexponent", 0, "body");
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  Simulation simulation(make_scene(body, {}));
  const double start = simulation.measure().energy.total;
  for (int f = 0; f < 24; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    EXPECT_LT(std::abs(report.energy.total - start), 1e-3);
    EXPECT_LT(report.energy.dissipated, 1e-3);
  }
  EXPECT_LT((simulation.state().x - body.position).cwiseAbs().maxCoeff(), 1e-4);
}

// So stiff against changes of volume that sixty iterations are not enough.
TEST(NearlyIncompressibleBeam, KeepsItsEnergy) {
  Body body = make_body(box_mesh({10, 2, 2}, {1, 0.2, 0.2}), {Material::kNeoHookean, 1e6, 0.4999});
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  Simulation simulation(make_scene(body, {}));
  const double start = simulation.measure().energy.total;
  double largest = 0;
  for (int f = 0; f < 23; ++f) {
    const FrameReport report = simulation.advance(1.0 / 24);
    largest = std::max(largest, report.energy.kinetic);
    EXPECT_LT(report.energy.total - start, 0.005 * largest) << "frame " << f;
    EXPECT_LT(report.energy.lost, 0.1 * largest) << "frame " << f;
  }
}

}  // namespace
}  // namespace dashpot
