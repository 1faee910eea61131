// Polylines of two points with springstiffness are springs in Houdini's geometry too.
#include <gmock/gmock.h>

#include "solver/simulation/simulation.h"
#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

constexpr double kTied = 800, kWeight = 1.5;  // N/m, kg
const Vec3 kHook(1.4, 0.1, 0.1);

// The bar, and a weight on a spring at its last point.
void fill_tied_bar(GU_Detail& detail, double) {
  fill_detail(bar_scene(), detail);
  const GA_Index hook = detail.getNumPoints();
  detail.add_point(kHook.x(), kHook.y(), kHook.z());
  const GA_Offset line = detail.add_primitive(GEO_PRIMPOLY, {hook - 1, hook});
  GA_Attribute* rest = detail.findAttribute(GA_ATTRIB_POINT, "rest");
  for (int axis = 0; axis < 3; ++axis)
    rest->set_number(detail.pointOffset(hook), axis, kHook[axis]);
  detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "mass", 1)
      ->set_number(detail.pointOffset(hook), 0, kWeight);
  detail.findAttribute(GA_ATTRIB_PRIMITIVE, "springstiffness")->set_number(line, 0, kTied);
  detail.findAttribute(GA_ATTRIB_PRIMITIVE, "springdamping")->set_number(line, 0, 4);
}

TEST(Springs, OfTheNodesInputMoveAsThoseOfTheSolver) {
  Network network;
  network.set(bar_scene().settings);
  network.connect(0, fill_tied_bar);
  const Points cooked = network.positions(12);
  EXPECT_THAT(network.errors(), ::testing::IsEmpty());

  Scene scene = bar_scene();
  Body& body = scene.bodies[0];
  const int hook = body.mesh.point_count();
  for (Points* points : {&body.mesh.rest, &body.position, &body.velocity})
    points->conservativeResize(3, hook + 1);
  body.mesh.rest.col(hook) = body.position.col(hook) = kHook;
  body.velocity.col(hook).setZero();
  body.point_mass.assign(static_cast<std::size_t>(hook) + 1, 0.0);
  body.point_mass.back() = kWeight;
  body.springs = {{{hook - 1, hook}}, {kTied}, {4}};
  Simulation simulation(scene);
  for (int f = 1; f < 12; ++f) simulation.advance(1.0 / 24);
  EXPECT_LT((cooked - simulation.state().x).norm(), 1e-5);
  EXPECT_LT(cooked(1, hook), kHook.y() - 0.05) << "it hangs";
}

}  // namespace
}  // namespace dashpot
