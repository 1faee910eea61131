// What the artist sees of the node: messages, info, attributes, memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solver/elements/element_diagnostics.h"
#include "solver/simulation/simulation.h"
#include "tests/sop_plugin/network.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// The bar, and a triangle around its middle whose points are in no tet.
void fill_bar_with_skin(GU_Detail& detail, double) {
  fill_detail(bar_scene(), detail);
  const GA_Index first = detail.getNumPoints();
  for (int k = 0; k < 3; ++k) detail.add_point(0.5, 0.1 + 0.1 * (k == 1), 0.1 + 0.1 * (k == 2));
  detail.add_point(7, 8, 9);  // used by nothing
  detail.add_primitive(GEO_PRIMPOLY, {first, first + 1, first + 2});
  GA_Attribute* rest = detail.findAttribute(GA_ATTRIB_POINT, "rest");
  for (GA_Index i = first; i < detail.getNumPoints(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      rest->set_number(detail.pointOffset(i), axis,
                       detail.getP()->number(detail.pointOffset(i), axis));
}

TEST(Node, IsRegisteredWithItsInputsAndMenu) {
  Network network;
  EXPECT_EQ(network.type().name(), "dashpot::solver::1.0");
  EXPECT_THAT(network.type().input_labels(),
              ElementsAre("Tetrahedra", "Animated Targets", "Colliders"));
  EXPECT_EQ(network.type().min_sources(), 1u);
  EXPECT_EQ(network.type().max_sources(), 3u);
  EXPECT_EQ(network.type().tab_submenu(), "Dashpot");
}

TEST(Node, BadInputIsAnErrorOnTheNodeThatNamesTheElement) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    fill_detail(bar_scene(), detail);
    detail.findAttribute(GA_ATTRIB_PRIMITIVE, "youngsmodulus")
        ->set_number(detail.primitiveOffset(3), 0, -2);
  });
  network.cook(1);
  ASSERT_THAT(network.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(network.errors()[0], HasSubstr("input 1, primitive 3: youngsmodulus = -2"));
}

TEST(Node, TextChoosesFromAMenuAndAWrongWordIsRefused) {
  const auto with_material = [](const std::string& word) {
    return [word](GU_Detail& detail, double) {
      fill_detail(bar_scene(), detail);
      GA_Attribute* material = detail.add_string(GA_ATTRIB_PRIMITIVE, "material");
      for (auto& text : material->texts) text = word;
    };
  };
  Network network;
  auto& source = network.connect(0, with_material("stvk"));
  const Points stvk = network.positions(5);
  EXPECT_THAT(network.errors(), IsEmpty());
  source.edit(with_material("neohookean"));
  EXPECT_NE(network.positions(5), stvk);
  source.edit(with_material("butter"));
  network.cook(5);
  ASSERT_THAT(network.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(network.errors()[0], HasSubstr("'butter'"));
}

TEST(Node, NothingConnectedOrNoTetsIsAnError) {
  Network network;
  network.cook(1);
  EXPECT_THAT(network.errors(), Not(IsEmpty()));
  network.connect(0, [](GU_Detail& detail, double) { detail.add_point(0, 0, 0); });
  network.cook(1);
  ASSERT_THAT(network.errors(), Not(IsEmpty()));
  EXPECT_THAT(network.errors()[0], HasSubstr("input 1"));
}

TEST(Node, TargetsOfAnotherTopologyAreRefused) {
  Network network;
  network.connect(0, fill_bar);
  network.connect(
      1, [](GU_Detail& detail, double) { detail.add_point(0, 0, 0); }, true);
  network.cook(3);
  ASSERT_THAT(network.errors(), Not(IsEmpty()));
  EXPECT_THAT(network.errors()[0], HasSubstr("the same geometry, animated"));
}

TEST(Node, ParametersOutOfRangeAreRefused) {
  Network network;
  network.connect(0, fill_bar);
  network.solver().set_parm("massdensity", 0);
  network.cook(1);
  ASSERT_THAT(network.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(network.errors()[0], HasSubstr("massdensity = 0 is out of range"));
  // Houdini itself keeps a hard limit.
  network.solver().set_parm("massdensity", 1000);
  network.solver().set_parm("substeps", 0);
  network.cook(1);
  EXPECT_THAT(network.errors(), IsEmpty());
}

TEST(Node, SolverStatusIsAWarningWithTheRemedy) {
  Network network;
  network.connect(0, fill_bar);
  network.solver().set_parm("iterations", 1);
  network.solver().set_parm("tolerance", 1e-9);
  network.cook(4);
  EXPECT_THAT(network.errors(), IsEmpty());
  EXPECT_THAT(network.warnings(),
              ::testing::Contains(HasSubstr("the 1 iteration of a stage left a mismatch of")));
}

TEST(Node, AdviceAboutTheSceneIsAWarning) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double time) {
    fill_bar(detail, time);
    detail.addTuple(GA_STORE_REAL32, GA_ATTRIB_DETAIL, "substeps", 1);
  });
  network.cook(1);
  EXPECT_THAT(network.errors(), IsEmpty());
  EXPECT_THAT(network.warnings(),
              ::testing::Contains(HasSubstr("input 1: the detail attribute substeps is ignored")));
}

TEST(Node, AnimatedParametersAreReadAtTheStartFrameAndSaidSo) {
  Network network, still;
  for (Network* n : {&network, &still}) n->connect(0, fill_bar);
  network.solver().set_expression(
      "gravity", [](fpreal time) -> fpreal { return -9.81 - time; }, 1);
  const Points shown = network.positions(6);
  EXPECT_EQ(shown, still.positions(6));
  ASSERT_THAT(network.warnings(), ::testing::SizeIs(1));
  EXPECT_THAT(network.warnings()[0], HasSubstr("gravity is animated"));
}

TEST(Node, WhatTheSolverThrowsBecomesAnErrorAndTheNodeGoesOn) {
  Network network, straight;
  for (Network* n : {&network, &straight}) n->connect(0, fill_bar);
  network.cook(3);
  standin::throw_after(20);
  network.cook(6);
  standin::interrupt_after(-1);
  ASSERT_THAT(network.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(network.errors()[0], HasSubstr("thrown inside the solver"));
  EXPECT_EQ(standin::open_operations(), 0);
  network.solver().forceRecook();
  EXPECT_EQ(network.positions(6), straight.positions(6));
  EXPECT_THAT(network.errors(), IsEmpty());
}

TEST(Node, ABreakdownOfTheSimulationNamesTheFrame) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    Scene scene = bar_scene();
    scene.bodies[0].velocity.setConstant(1e300);
    fill_detail(scene, detail);
  });
  network.cook(3);
  ASSERT_THAT(network.errors(), ::testing::SizeIs(1));
  EXPECT_THAT(network.errors()[0], HasSubstr("frame "));
}

TEST(Node, InfoTellsSizesIterationsAndEnergy) {
  Network network;
  network.connect(0, fill_bar);
  network.cook(3);
  OP_Context context(standin::time_of(3));
  OP_NodeInfoParms parms;
  network.solver().getNodeSpecificInfoText(context, parms);
  for (const char* part :
       {"24 tets", "20 points", "iterations", " ms", "residual", "Energy", "MB",
        "Since the last edit: 2 frames simulated, 1 orderings, 1 factorizations"})
    EXPECT_THAT(parms.text(), HasSubstr(part));
  EXPECT_EQ(network.info().at("Body"), "24 tets, 20 points");
  EXPECT_THAT(network.info().at("Energy"), HasSubstr(" J: kinetic "));
}

TEST(Node, OnlyPAndVGetNewDataIdsFromFrameToFrame) {
  Network network;
  network.connect(0, fill_bar);
  network.cook(2);
  const auto before = network.cook(2).data_ids();
  const auto after = network.cook(3).data_ids();
  std::vector<std::string> changed;
  for (const auto& [name, id] : after)
    if (before.at(name) != id) changed.push_back(name.substr(name.find(':') + 1));
  EXPECT_THAT(changed, UnorderedElementsAre("P", "v"));
}

TEST(Node, OtherAttributesPassThrough) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    fill_detail(bar_scene(), detail);
    GA_Attribute* color = detail.addFloatTuple(GA_ATTRIB_POINT, "Cd", 3);
    color->set_number(detail.pointOffset(2), 1, 0.5);
  });
  const GU_Detail& shown = network.cook(3);
  const GA_ROHandleD color(shown.findAttribute(GA_ATTRIB_POINT, "Cd"));
  ASSERT_TRUE(color.isValid());
  EXPECT_EQ(color.get(shown.pointOffset(2), 1), 0.5);
}

TEST(Node, DiagnosticsAreAttributesBehindToggles) {
  Network network;
  network.connect(0, fill_bar);
  EXPECT_EQ(network.cook(3).findAttribute(GA_ATTRIB_PRIMITIVE, "stress"), nullptr);
  for (const ElementDiagnostic& d : element_diagnostics())
    network.solver().set_parm("output" + std::string(d.token), 1);
  const GU_Detail& shown = network.cook(3);
  Simulation simulation(bar_scene());
  simulation.advance(1.0 / 24);
  simulation.advance(1.0 / 24);
  std::vector<const ElementDiagnostic*> all;
  for (const ElementDiagnostic& d : element_diagnostics()) all.push_back(&d);
  const auto expected = simulation.evaluate(all);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const GA_ROHandleD handle(shown.findAttribute(GA_ATTRIB_PRIMITIVE, all[k]->token));
    ASSERT_TRUE(handle.isValid()) << all[k]->token;
    for (std::size_t t = 0; t < expected[k].size(); ++t)
      EXPECT_EQ(handle.get(shown.primitiveOffset(static_cast<GA_Index>(t))),
                static_cast<float>(expected[k][t]))
          << all[k]->token;
  }
}

TEST(Node, DiagnosticsOfACachedFrameAreThoseOfTheFirstVisit) {
  Network network;
  network.connect(0, fill_bar);
  network.solver().set_parm("laplaciandamping", 0.01);
  network.solver().set_parm("outputdissipation", 1);
  const auto values = [&](int frame) {
    const GU_Detail& shown = network.cook(frame);
    const GA_ROHandleD handle(shown.findAttribute(GA_ATTRIB_PRIMITIVE, "dissipation"));
    std::vector<double> result;
    for (GA_Index i = 0; i < shown.getNumPrimitives(); ++i)
      result.push_back(handle.get(shown.primitiveOffset(i)));
    return result;
  };
  const auto first = values(4);
  EXPECT_GT(first[20], 0);
  values(8);
  EXPECT_EQ(values(4), first);
}

TEST(Node, EmbeddedPolygonsFollowAndLoosePointsStay) {
  Network network;
  network.connect(0, fill_bar_with_skin);
  const Points start = network.positions(1), later = network.positions(6);
  ASSERT_THAT(network.errors(), IsEmpty());
  const Eigen::Index n = start.cols();
  // The skin sinks with the middle of the bar.
  const double sunk = start(1, n - 4) - later(1, n - 4);
  EXPECT_GT(sunk, 0.01);
  EXPECT_LT(sunk, start(1, 19) - later(1, 19));
  EXPECT_EQ(later.col(n - 1), Vec3(7, 8, 9));
}

TEST(Node, FramesAreReportedAsMemoryAndSurviveUnloading) {
  Network network, straight;
  for (Network* n : {&network, &straight}) n->connect(0, fill_bar);
  network.cook(1);
  const int64 before = network.solver().getMemoryUsage(false);
  const int64 unloadable = network.solver().getLoadedMemoryUsage();
  network.cook(20);
  const int64 after = network.solver().getMemoryUsage(false);
  EXPECT_GT(after, before + 19 * 1000);
  // Houdini's cache manager would unload the largest first.
  EXPECT_EQ(network.solver().getLoadedMemoryUsage(), unloadable);
  EXPECT_TRUE(network.solver().unloadData());
  EXPECT_EQ(network.solver().getMemoryUsage(false), after);
  for (const int frame : {20, 4, 21})
    EXPECT_EQ(network.positions(frame), straight.positions(frame));
  EXPECT_EQ(network.simulated_frames(), 20);
}

TEST(Node, AnInputWithoutGeometryIsAnError) {
  for (unsigned input = 0; input < 3; ++input) {
    Network network;
    network.connect(0, fill_bar);
    auto& source =
        input == 0 ? network.connect(0, fill_bar) : network.connect(input, fill_bar, true);
    source.loses_geometry = true;
    for (const int frame : {1, 3, -1}) {
      network.cook(frame);
      if (frame < 1 && input > 0) continue;  // passes input 1 through
      ASSERT_THAT(network.errors(), ::testing::SizeIs(1)) << input << " " << frame;
      EXPECT_THAT(network.errors()[0],
                  HasSubstr("input " + std::to_string(input + 1) + " has no geometry"));
    }
  }
}

TEST(Node, AWarningIsAnErrorIfTheNodeIsToStopAtThem) {
  Network network;
  network.connect(0, fill_bar);
  network.solver().set_parm("iterations", 1);
  network.solver().set_parm("tolerance", 1e-9);
  network.solver().set_parm("stopatwarnings", 1);
  for (const int frame : {2, 4}) {  // it does not go on from a frame that was refused
    network.cook(frame);
    EXPECT_THAT(
        network.errors(),
        ::testing::ElementsAre(HasSubstr("frame 2: stopped by stopatwarnings: the 1 iteration")));
  }
  network.cook(1);
  EXPECT_THAT(network.errors(), ::testing::IsEmpty());
}

TEST(Node, TargetsWithoutPinsAreSaidToDoNothing) {
  Network network;
  const auto free_bar = [](GU_Detail& detail, double) {
    Scene scene = bar_scene();
    scene.bodies[0].pins.clear();
    fill_detail(scene, detail);
  };
  network.connect(0, free_bar);
  network.connect(1, free_bar, true);
  network.cook(2);
  ASSERT_THAT(network.warnings(), ::testing::SizeIs(1));
  EXPECT_THAT(network.warnings()[0], HasSubstr("pintoanimation"));
}

TEST(Node, PinToAnimationOfTheNodePinsEverything) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    Scene scene = bar_scene();
    fill_detail(scene, detail);
    GA_Attribute* pins = detail.findAttribute(GA_ATTRIB_POINT, "pintoanimation");
    for (GA_Index i = 0; i < detail.getNumPoints(); ++i)
      pins->set_number(detail.pointOffset(i), 0, 0);
  });
  network.solver().set_parm("pintoanimation", 1);
  EXPECT_EQ(network.positions(5), network.positions(1));
}

TEST(Node, TargetPOfTheGeometryIsReachedAtTheSecondFrame) {
  Network network;
  network.connect(0, [](GU_Detail& detail, double) {
    fill_detail(bar_scene(), detail);
    const GA_RWHandleV3D target(detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "targetP", 3));
    const GA_ROHandleD p(detail.findAttribute(GA_ATTRIB_POINT, "P"));
    for (GA_Index i = 0; i < detail.getNumPoints(); ++i) {
      const GA_Offset o = detail.pointOffset(i);
      target.set(o, UT_Vector3D(p.get(o, 0), p.get(o, 1) + 0.1, p.get(o, 2)));
    }
  });
  const Points start = network.positions(1), second = network.positions(2);
  EXPECT_NEAR(second(1, 0) - start(1, 0), 0.1, 1e-15);
  EXPECT_EQ(network.positions(3)(1, 0), second(1, 0));
}

}  // namespace
}  // namespace dashpot
