// What a restored state remembers of contact must be of this scene: it names points and colliders
// by number.
#include <gtest/gtest.h>

#include <limits>

#include "solver/simulation/contact_time_stepper.h"
#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kContactFrame = 1.0 / 24;

Scene resting_box(int floors) {
  Scene scene;
  scene.bodies.push_back(
      make_body(box_mesh({2, 2, 2}, {1, 1, 1}), {Material::kNeoHookean, 5e4, 0.3}));
  for (int k = 0; k < floors; ++k)
    scene.colliders.push_back(
        make_plane(Vec3(0, scene.bodies[0].position.row(1).minCoeff(), 0), Vec3::UnitY(), 0.5));
  return scene;
}

State rested() {
  Simulation simulation(resting_box(2));
  for (int f = 0; f < 8; ++f) simulation.advance(kContactFrame);
  return simulation.state();
}

TEST(ContactMemory, OfThisSceneIsKept) {
  const State state = rested();
  ASSERT_GT(state.contact.size(), 4u);
  Simulation same(resting_box(2));
  same.restore(state);
  EXPECT_EQ(same.state().contact, state.contact);
}

TEST(ContactMemory, OfAColliderThatIsGoneIsDropped) {
  for (const int floors : {0, 1}) {
    Simulation fewer(resting_box(floors));
    fewer.restore(rested());
    EXPECT_TRUE(fewer.state().contact.empty());
    fewer.advance(kContactFrame);
    const double fallen =
        resting_box(1).bodies[0].position.row(1).minCoeff() - fewer.state().x.row(1).minCoeff();
    EXPECT_EQ(fallen<1e-3, floors> 0) << fallen;
  }
}

TEST(ContactMemory, ThatIsNotWholeOrNamesNothingIsNotValid) {
  constexpr std::size_t kSites = 5, kColliders = 2;
  std::vector<double> good = {0, 0, 0, 1, 4, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0};
  EXPECT_TRUE(ContactTimeStepper::is_valid(good, kSites, kColliders));
  EXPECT_TRUE(ContactTimeStepper::is_valid({}, kSites, kColliders));
  EXPECT_TRUE(ContactTimeStepper::is_valid({0, 0, 0, 0}, kSites, kColliders));
  EXPECT_FALSE(ContactTimeStepper::is_valid({0, 0, 0}, kSites, kColliders));
  const auto with = [&](std::size_t at, double number) {
    std::vector<double> bad = good;
    bad[at] = number;
    return ContactTimeStepper::is_valid(bad, kSites, kColliders);
  };
  EXPECT_FALSE(with(4, 5));
  EXPECT_FALSE(with(4, -1));
  EXPECT_FALSE(with(4, 1.5));
  EXPECT_FALSE(with(5, 2));
  for (const double number : {std::numeric_limits<double>::quiet_NaN(), 1e300})
    EXPECT_FALSE(with(4, number));
  EXPECT_FALSE(with(9, std::numeric_limits<double>::infinity()));
  good.pop_back();
  EXPECT_FALSE(ContactTimeStepper::is_valid(good, kSites, kColliders));
}

}  // namespace
}  // namespace dashpot
