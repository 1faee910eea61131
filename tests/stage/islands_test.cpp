// Bodies that nothing connects do not know of each other.
#include <gtest/gtest.h>

#include "solver/simulation/simulation.h"
#include "solver/simulation/simulation_model.h"
#include "solver/stage/island.h"
#include "tests/support/bodies.h"
#include "tests/support/colliders.h"

namespace dashpot {
namespace {

constexpr double kIslandFrame = 1.0 / 24;

// A box that swings in the air, by itself or beside another one.
Body swinging() {
  Body body = make_body(box_mesh({3, 2, 2}, {0.6, 0.4, 0.4}), {Material::kNeoHookean, 5e4, 0.3},
                        "swinging");
  body.position.row(1).array() += 5;
  for (int i = 0; i < body.mesh.point_count(); ++i)
    body.velocity(2, i) = 3 * body.mesh.rest(0, i) * body.mesh.rest(0, i);
  body.pins.push_back(pin_slab(body.mesh, 0, -1, 1e-9));
  return body;
}

// On the floor.
Body lying() {
  Body body =
      make_body(box_mesh({2, 2, 2}, {0.5, 0.5, 0.5}), {Material::kNeoHookean, 5e4, 0.3}, "lying");
  body.position.row(0).array() += 3;
  return body;
}

// In the air, with damping that is not smooth.
Body dry() {
  Body body = lying();
  body.name = "dry";
  body.position.row(1).array() += 5;
  for (int i = 0; i < body.mesh.point_count(); ++i) body.velocity(0, i) = body.mesh.rest(1, i);
  body.fields.set("dampingmodel", static_cast<double>(DampingModel::kStretchRate), "dry");
  body.fields.set("dampingstrength", 20, "dry");
  body.fields.set("dampingexponent", 0, "dry");
  return body;
}

Scene scene_of(std::vector<Body> bodies) {
  Scene scene;
  scene.bodies = std::move(bodies);
  scene.settings.contact_gap = 1e-4;  // by itself it is a share of the edges of all bodies
  scene.colliders.push_back(make_plane(Vec3(0, -0.01, 0), Vec3::UnitY(), 0.5));
  return scene;
}

Points end_of_swinging(const Scene& scene) {
  Simulation simulation(scene);
  for (int f = 0; f < 10; ++f) simulation.advance(kIslandFrame);
  return simulation.state().x.leftCols(swinging().mesh.point_count());
}

TEST(Islands, ContactFarAwayChangesNoBit) {
  const Points alone = end_of_swinging(scene_of({swinging()}));
  EXPECT_EQ(end_of_swinging(scene_of({swinging(), lying()})), alone);
}

TEST(Islands, DryDampingFarAwayChangesNoBit) {
  const Points alone = end_of_swinging(scene_of({swinging()}));
  EXPECT_EQ(end_of_swinging(scene_of({swinging(), dry()})), alone);
}

TEST(Islands, AreSolvedAlikeOneByOneAndTogether) {
  Simulation both(scene_of({swinging(), lying()})), one(scene_of({lying()}));
  for (int f = 0; f < 10; ++f) {
    both.advance(kIslandFrame);
    one.advance(kIslandFrame);
  }
  EXPECT_EQ(both.state().x.rightCols(one.state().x.cols()), one.state().x);
  EXPECT_EQ(both.state().v.rightCols(one.state().v.cols()), one.state().v);
}

TEST(Islands, AreWhatIsConnectedAndPointsOfNothingAreInNone) {
  Body loose = lying();
  const int extra = loose.mesh.point_count();
  for (Points* points : {&loose.mesh.rest, &loose.position, &loose.velocity}) {
    points->conservativeResize(3, extra + 1);
    points->col(extra).setZero();
  }
  const SimulationModel model(scene_of({swinging(), loose}));
  const std::vector<Island> islands = find_islands(model.elements, model.point_count());
  ASSERT_EQ(islands.size(), 2u);
  EXPECT_EQ(static_cast<int>(islands[0].points.size()), swinging().mesh.point_count());
  EXPECT_EQ(static_cast<int>(islands[1].points.size()), extra);
  EXPECT_EQ(islands[0].elements[0].size() + islands[1].elements[0].size(),
            static_cast<std::size_t>(model.elements.count()));

  Body tied = swinging();
  const int points = tied.mesh.point_count();
  tied.springs = {{{0, points - 1}}, {100}, {0}};
  EXPECT_EQ(find_islands(SimulationModel(scene_of({tied})).elements, points).size(), 1u);
}

// Pieces of one body are islands of their own: a scene file and a Houdini network merge what they
// like into one geometry.
TEST(Islands, OfOneBodyAreItsPieces) {
  const Body a = swinging(), b = lying();
  Body merged = a;
  const int first = a.mesh.point_count(), count = b.mesh.point_count();
  for (const auto& [to, from] : {std::pair<Points*, const Points*>{&merged.mesh.rest, &b.mesh.rest},
                                 {&merged.position, &b.position},
                                 {&merged.velocity, &b.velocity}}) {
    to->conservativeResize(3, first + count);
    to->rightCols(count) = *from;
  }
  for (Tet tet : b.mesh.tets) {
    for (int& point : tet) point += first;
    merged.mesh.tets.push_back(tet);
  }
  EXPECT_EQ(end_of_swinging(scene_of({merged})), end_of_swinging(scene_of({a})));
}

}  // namespace
}  // namespace dashpot
