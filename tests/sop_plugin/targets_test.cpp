// Animated targets of a body that has more points than its tets, as Dashpot Soft Body makes one
// when it merges a render mesh behind them.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

void fill_pushed_bar(double frame, GU_Detail& detail) {
  Scene scene = bar_scene();
  scene.bodies[0].position.row(2).array() += 0.1 * std::sin(0.4 * (frame - 1));
  fill_detail(scene, detail);
}

// A triangle around the middle of the bar.
void add_render_mesh(GU_Detail& detail) {
  const GA_Index first = detail.getNumPoints();
  GA_Attribute* rest = detail.findAttribute(GA_ATTRIB_POINT, "rest");
  for (int k = 0; k < 3; ++k) {
    detail.add_point(0.5, 0.1 + 0.1 * (k == 1), 0.1 + 0.1 * (k == 2));
    for (int axis = 0; axis < 3; ++axis)
      rest->set_number(detail.pointOffset(first + k), axis,
                       detail.getP()->number(detail.pointOffset(first + k), axis));
  }
  detail.add_primitive(GEO_PRIMPOLY, {first, first + 1, first + 2});
}

TEST(Targets, OfTheTetsAloneDoForABodyWithARenderMeshBehindThem) {
  Network network, whole;
  for (Network* one : {&network, &whole})
    one->connect(0, [](GU_Detail& detail, double) {
      fill_bar(detail, 1);
      add_render_mesh(detail);
    });
  network.connect(
      1, [](GU_Detail& detail, double frame) { fill_pushed_bar(frame, detail); }, true);
  whole.connect(
      1,
      [](GU_Detail& detail, double frame) {
        fill_pushed_bar(frame, detail);
        add_render_mesh(detail);
      },
      true);
  const Points positions = network.positions(6);
  EXPECT_THAT(network.errors(), IsEmpty());
  EXPECT_EQ(positions, whole.positions(6));
  EXPECT_NE(positions, network.positions(1));
}

TEST(Targets, OfAnyOtherNumberOfPointsAreRefused) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    fill_bar(detail, 1);
    add_render_mesh(detail);
  });
  network.connect(
      1,
      [](GU_Detail& detail, double frame) {
        fill_pushed_bar(frame, detail);
        detail.add_point(7, 8, 9);
      },
      true);
  network.cook(3);
  EXPECT_THAT(network.errors(), ElementsAre(HasSubstr("targets must be the same geometry")));
}

}  // namespace
}  // namespace dashpot
