// What a restored state remembers must be of this scene: points that may touch, colliders by name,
// forces of its own elements.
#include <gtest/gtest.h>

#include <limits>

#include "solver/simulation/simulation.h"
#include "tests/support/bodies.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kContactFrame = 1.0 / 24;

Scene resting_box(int floors) {
  Scene scene;
  scene.bodies.push_back(
      make_body(box_mesh({2, 2, 2}, {1, 1, 1}), {Material::kNeoHookean, 5e7, 0.3}));
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
  ASSERT_FALSE(state.contact.touching.empty());
  Simulation same(resting_box(2));
  same.restore(state);
  EXPECT_EQ(same.state().contact, state.contact);
}

TEST(ContactMemory, OfAColliderThatIsGoneIsDropped) {
  const State state = rested();
  for (const int floors : {0, 1}) {
    Simulation fewer(resting_box(floors));
    fewer.restore(state);
    const ContactMemory& kept = fewer.state().contact;
    EXPECT_EQ(kept.touching.empty(), floors == 0);
    EXPECT_LT(kept.touching.size(), state.contact.touching.size());
    for (const auto& touching : kept.touching) EXPECT_EQ(touching.id.collider(), 0);
    fewer.advance(kContactFrame);
    const double fallen =
        resting_box(1).bodies[0].position.row(1).minCoeff() - fewer.state().x.row(1).minCoeff();
    EXPECT_EQ(fallen<1e-3, floors> 0) << fallen;
  }
}

TEST(ContactMemory, FollowsACollidersNameNotItsNumber) {
  const State state = rested();
  Scene scene = resting_box(3);
  scene.colliders[0].collider.name = "another";  // before the two floors of the state
  Simulation simulation(scene);
  simulation.restore(state);
  const ContactMemory& kept = simulation.state().contact;
  ASSERT_EQ(kept.touching.size(), state.contact.touching.size());
  for (std::size_t k = 0; k < kept.touching.size(); ++k)
    EXPECT_EQ(kept.touching[k].id.collider(), state.contact.touching[k].id.collider() + 1);
}

TEST(ContactMemory, OfPointsThatArePinnedNowIsDropped) {
  const State state = rested();
  Scene scene = resting_box(2);
  const int point = state.contact.touching.front().id.point();
  scene.bodies[0].pins.push_back({{point}, nullptr});
  Simulation simulation(scene);
  simulation.restore(state);
  ASSERT_FALSE(simulation.state().contact.touching.empty());
  for (const auto& touching : simulation.state().contact.touching)
    EXPECT_NE(touching.id.point(), point);
  simulation.advance(kContactFrame);
  EXPECT_TRUE(simulation.state().x.allFinite());
}

TEST(ContactMemory, WithNumbersThatNameNothingOrAreNotFiniteIsNotUsed) {
  const State state = rested();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto touching_after = [&](auto&& spoil) {
    State bad = state;
    spoil(bad.contact);
    Simulation simulation(resting_box(2));
    simulation.restore(bad);
    simulation.advance(kContactFrame);
    EXPECT_TRUE(simulation.state().x.allFinite());
    simulation.restore(bad);
    return simulation.state().contact.touching.size();
  };
  const std::size_t all = state.contact.touching.size();
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].stencil.point[0] = -1; }), all - 1);
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].stencil.point[0] = 1 << 30; }),
            all - 1);
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].id.first = 7; }), all - 1);
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].id.first = -7; }), all - 1);
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].force.x() = kNan; }), 0u);
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].anchor.y() = kNan; }), 0u);
  EXPECT_EQ(touching_after([](ContactMemory& m) { m.touching[0].stencil.count = 5; }), all - 1);
}

// With another set of pins, other points come first in the solver's order, and the forces of the
// last step are kept elsewhere.
TEST(StateForces, OfAnotherLayoutAreNotTakenForThoseOfOtherElements) {
  Scene scene = resting_box(1);
  Simulation simulation(scene);
  for (int f = 0; f < 4; ++f) simulation.advance(kContactFrame);
  const State state = simulation.state();
  scene.bodies[0].pins.push_back({{26}, nullptr});
  Simulation pinned(scene);
  pinned.restore(state);
  EXPECT_TRUE(pinned.state().dual.empty());
  pinned.advance(kContactFrame);
  EXPECT_EQ(pinned.state().dual.size(), state.dual.size());
  simulation.restore(state);
  EXPECT_EQ(simulation.state().dual, state.dual);
}

}  // namespace
}  // namespace dashpot
