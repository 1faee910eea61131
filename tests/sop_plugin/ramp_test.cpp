// The node's damping ramp, as artists draw it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum Menu { kConstant, kLinear, kCatmullRom, kMonotoneCubic, kBezier, kBSpline, kHermite };

// Without attributes that would say how it is damped.
void fill_plain_bar_of_ramp(GU_Detail& detail, double) {
  const TetMesh mesh = bar_scene().bodies[0].mesh;
  for (Eigen::Index i = 0; i < mesh.rest.cols(); ++i)
    detail.add_point(mesh.rest(0, i), mesh.rest(1, i), mesh.rest(2, i));
  for (const Tet& tet : mesh.tets)
    detail.add_primitive(GEO_PRIMTETRAHEDRON, {tet[0], tet[2], tet[1], tet[3]});
  GA_Attribute* pins = detail.addTuple(GA_STORE_INT32, GA_ATTRIB_POINT, "pintoanimation", 1);
  for (GA_Index i = 0; i < 4; ++i) pins->set_number(detail.pointOffset(i), 0, 1);
}

struct RampedBar : Network {
  RampedBar() {
    connect(0, fill_plain_bar_of_ramp);
    solver().set_parm("dampingmodel", 5);
    solver().set_parm("dampingstrength", 400);
    solver().set_parm("dampingrampmode", 1);
  }
  Points with(const std::vector<OP_Node::RampKeyParm>& keys) {
    solver().set_ramp("dampingramp", keys);
    const Points shown = positions(6);
    EXPECT_THAT(errors(), IsEmpty());
    return shown;
  }
};

TEST(NodeRampParm, ANewNodeIsNotRed) {
  Network network;
  network.connect(0, fill_plain_bar_of_ramp);
  network.cook(3);
  EXPECT_THAT(network.errors(), IsEmpty());
  EXPECT_THAT(network.warnings(), IsEmpty());
  network.solver().set_parm("dampingmodel", 5);
  network.solver().set_parm("dampingrampmode", 1);
  network.cook(3);
  EXPECT_THAT(network.errors(), IsEmpty());
}

TEST(NodeRampParm, WhatItLooksLikeDoesNotMatterWhileItIsOff) {
  Network network;
  network.connect(0, fill_plain_bar_of_ramp);
  const Points before = network.positions(4);
  network.solver().set_ramp("dampingramp", {{0.5, -3, kBezier}, {0.5, -3, kHermite}});
  network.solver().set_parm("dampingramprange", 2, 0);
  EXPECT_EQ(network.positions(4), before);
  EXPECT_THAT(network.errors(), IsEmpty());
  EXPECT_EQ(network.simulated_frames(), 3);  // and is no edit
}

TEST(NodeRampParm, AnAttributeTurnsItOn) {
  const auto with_mode = [](double mode) {
    return [mode](GU_Detail& detail, double frame) {
      fill_plain_bar_of_ramp(detail, frame);
      GA_Attribute* attribute =
          detail.addTuple(GA_STORE_INT32, GA_ATTRIB_PRIMITIVE, "dampingrampmode", 1);
      for (GA_Index i = 0; i < detail.getNumPrimitives(); ++i)
        attribute->set_number(detail.primitiveOffset(i), 0, mode);
    };
  };
  RampedBar by_parameter, by_attribute;
  by_attribute.solver().set_parm("dampingrampmode", 0);
  auto& source = by_attribute.connect(0, with_mode(1));
  const std::vector<OP_Node::RampKeyParm> keys = {
      {0, 4, kLinear}, {0.5, 0, kLinear}, {1, 4, kLinear}};
  EXPECT_EQ(by_attribute.with(keys), by_parameter.with(keys));
  by_attribute.solver().set_ramp("dampingramp", {{0, -1, kLinear}});
  by_attribute.cook(6);
  ASSERT_THAT(by_attribute.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(by_attribute.errors()[0], HasSubstr("must not be negative"));
  source.edit(fill_plain_bar_of_ramp);
  by_attribute.cook(6);
  EXPECT_THAT(by_attribute.errors(), IsEmpty());
}

TEST(NodeRampParm, KeysInAnyOrderAndOnTopOfEachOtherAreTaken) {
  RampedBar bar;
  const Points sorted = bar.with({{0, 4, kLinear}, {0.5, 0, kLinear}, {1, 4, kLinear}});
  EXPECT_EQ(bar.with({{1, 4, kLinear}, {0, 4, kLinear}, {0.5, 0, kLinear}}), sorted);
  // A jump at the rest length: all damping beyond it.
  const Points jump =
      bar.with({{0, 0, kLinear}, {0.5, 0, kLinear}, {0.5, 4, kLinear}, {1, 4, kLinear}});
  const Points steep =
      bar.with({{0, 0, kLinear}, {0.5, 0, kLinear}, {0.500001, 4, kLinear}, {1, 4, kLinear}});
  EXPECT_EQ(jump, steep);
  bar.with({{0.3, 1, kLinear}, {0.3, 1, kLinear}, {0.3, 1, kLinear}});
}

TEST(NodeRampParm, AConstantPieceHoldsItsValueUpToTheNextKey) {
  RampedBar bar;
  const Points level = bar.with({{0, 2, kConstant}, {1, 0, kConstant}});
  const Points flat = bar.with({{0, 2, kLinear}, {1, 2, kLinear}});
  const Points falling = bar.with({{0, 2, kLinear}, {1, 0, kLinear}});
  // The solver's budget knows the lowest value of a ramp.
  EXPECT_LT((level - flat).norm(), 1e-4);
  EXPECT_GT((falling - flat).norm(), 1e-2);
}

// The stand-in's curve, sampled by hand.
TEST(NodeRampParm, BasesWithoutAFormOfOurOwnAreSampledFromHoudini) {
  for (const int basis : {kBSpline, kHermite}) {
    RampedBar bar, sampled;
    UT_Ramp curve;
    curve.add(0, 4, UT_SPLINE_BSPLINE);
    curve.add(0.5, 0.125, UT_SPLINE_BSPLINE);
    curve.add(1, 4, UT_SPLINE_BSPLINE);
    std::vector<OP_Node::RampKeyParm> keys;
    for (int i = 0; i <= 256; ++i) {
      float values[4];
      curve.rampLookup(i / 256.0, values);
      keys.push_back({i / 256.0, values[0], kLinear});
    }
    EXPECT_EQ(bar.with({{0, 4, basis}, {0.5, 0.125, basis}, {1, 4, basis}}), sampled.with(keys));
  }
}

TEST(NodeRampParm, ACurveThatGoesBelowZeroIsRefused) {
  RampedBar bar;
  bar.solver().set_ramp("dampingramp", {{0, 4, kHermite}, {1, -4, kHermite}});
  bar.cook(3);
  ASSERT_THAT(bar.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(bar.errors()[0], HasSubstr("dampingramp"));
}

}  // namespace
}  // namespace dashpot
