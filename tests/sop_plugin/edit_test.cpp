// What an artist's edit costs: nothing of the matrix is made again that the edit did not change,
// and the frames are those of a new node.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "solver/parameters/parameters.h"
#include "solver/playback/microsolver.h"
#include "sop_plugin/detail_view.h"
#include "tests/sop_plugin/network.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Without material attributes: the node's parameters are those of the body.
void fill_plain(GU_Detail& detail, int pinned = 4, double size = 1) {
  const TetMesh mesh = bar_scene().bodies[0].mesh;
  for (Eigen::Index i = 0; i < mesh.rest.cols(); ++i)
    detail.add_point(size * mesh.rest(0, i), size * mesh.rest(1, i), size * mesh.rest(2, i));
  for (const Tet& tet : mesh.tets)
    detail.add_primitive(GEO_PRIMTETRAHEDRON, {tet[0], tet[2], tet[1], tet[3]});
  GA_Attribute* pins = detail.addTuple(GA_STORE_INT32, GA_ATTRIB_POINT, "pintoanimation", 1);
  for (GA_Index i = 0; i < pinned; ++i) pins->set_number(detail.pointOffset(i), 0, 1);
}

class SopEdit : public testing::Test {
 protected:
  struct Node : Network {
    standin::SourceNode& body = connect(0, [](GU_Detail& detail, double) { fill_plain(detail); });
    Node() { solver().set_parm("youngsmodulus", 1e6); }
  };

  static std::string setup_line(const Network& network) {
    return network.info().at("Since the last edit");
  }
  // Edits a node that has cooked, and a new one before its first cook.
  void expect(const std::function<void(Node&)>& edit, const std::string& work) {
    Node fresh;
    edit(fresh);
    edit(node_);
    EXPECT_EQ(node_.positions(4), fresh.positions(4));
    EXPECT_THAT(node_.errors(), IsEmpty());
    EXPECT_THAT(setup_line(node_), HasSubstr(work));
    EXPECT_THAT(setup_line(fresh), HasSubstr("1 orderings, 1 factorizations"));
  }

  SopEdit() { node_.cook(4); }
  Node node_;
};

TEST_F(SopEdit, GravityIterationsAndToleranceTouchNoMatrix) {
  expect([](Node& node) { node.solver().set_parm("gravity", -3, 1); },
         "0 orderings, 0 factorizations");
  expect(
      [](Node& node) {
        node.solver().set_parm("gravity", -3, 1);
        node.solver().set_parm("iterations", 80);
        node.solver().set_parm("tolerance", 1e-6);
      },
      "0 orderings, 0 factorizations");
}

TEST_F(SopEdit, StiffnessOnlyFactorsAgain) {
  expect([](Node& node) { node.solver().set_parm("youngsmodulus", 2e6); },
         "0 orderings, 1 factorizations");
}

TEST_F(SopEdit, AnotherShapeOfTheSameConnectivityOnlyFactorsAgain) {
  expect(
      [](Node& node) {
        node.body.edit([](GU_Detail& detail, double) { fill_plain(detail, 4, 1.25); });
      },
      "0 orderings, 1 factorizations");
}

TEST_F(SopEdit, OtherPinsNeedAnotherOrder) {
  expect(
      [](Node& node) { node.body.edit([](GU_Detail& detail, double) { fill_plain(detail, 3); }); },
      "1 orderings, 1 factorizations");
}

TEST_F(SopEdit, ABodyThatIsRefusedInBetweenCostsNothing) {
  node_.body.edit([](GU_Detail& detail, double) { detail.add_point(0, 0, 0); });
  node_.cook(4);
  EXPECT_THAT(node_.errors(), SizeIs(1));
  expect([](Node& node) { node.body.edit([](GU_Detail& detail, double) { fill_plain(detail); }); },
         "0 orderings, 0 factorizations");
}

TEST_F(SopEdit, ResetBeginsFromNothing) {
  node_.solver().press("resimulate");
  expect([](Node&) {}, "3 frames simulated, 1 orderings, 1 factorizations");
}

class DopEdit : public testing::Test {
 protected:
  struct Settings {
    double youngs = 1e6;
    int iterations = 60, pinned = 4;
    double dt = 1.0 / 24;
  };

  // Three steps from the start; the work is that of all of them.
  static Points run(Microsolver& microsolver, const Settings& settings, SetupWork& work) {
    GU_Detail bar;
    fill_plain(bar, settings.pinned);
    const DetailView view(bar, "a bar");
    Microstep step(view);
    for (const Parameter& p : parameters())
      if (p.scope == ParameterScope::kPrim) step.fields.set(p.token, p.number, "test");
    step.fields.set("youngsmodulus", settings.youngs, "test");
    step.settings.iterations = settings.iterations;
    step.dt = settings.dt;
    work = {};
    MicrostepResult result;
    for (int k = 0; k < 3; ++k) {
      result = microsolver.step(step);
      step.state = result.state;
      work.orderings += result.setup.orderings;
      work.factorizations += result.setup.factorizations;
    }
    return result.x;
  }
  void expect(const Settings& settings, int orderings, int factorizations) {
    Microsolver fresh;
    SetupWork work, fresh_work;
    EXPECT_EQ(run(microsolver_, settings, work), run(fresh, settings, fresh_work));
    EXPECT_EQ(work.orderings, orderings);
    EXPECT_EQ(work.factorizations, factorizations);
    EXPECT_EQ(fresh_work.orderings, 1);
    EXPECT_EQ(fresh_work.factorizations, 1);
  }

  Microsolver microsolver_;
};

TEST_F(DopEdit, OnlyWhatItChangedIsDoneAgain) {
  expect({}, 1, 1);
  Settings edited;
  edited.iterations = 80;
  expect(edited, 0, 0);
  edited.youngs = 2e6;
  expect(edited, 0, 1);
  edited.dt /= 2;
  expect(edited, 0, 1);
  edited.pinned = 3;
  expect(edited, 1, 1);
}

TEST_F(DopEdit, ARunFromTheStartAgainNeedsNothing) {
  expect({}, 1, 1);
  expect({}, 0, 0);
}

// Both are in use, step by step: neither may take from the other what it needs itself.
TEST_F(DopEdit, BodiesOfOneMeshShareAndDoNotDisturbEachOther) {
  Settings stiff;
  stiff.youngs = 2e6;
  expect({}, 1, 1);
  expect(stiff, 0, 1);
  expect({}, 0, 0);
  expect(stiff, 0, 0);
}

}  // namespace
}  // namespace dashpot
