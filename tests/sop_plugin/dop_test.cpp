// The DOP microsolver in a network that steps, caches and rewinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tbb/parallel_for.h>

#include <map>

#include "GAS/GAS_SubSolver.h"
#include "solver/parameters/parameters.h"
#include "solver/playback/microsolver.h"
#include "sop_plugin/detail_view.h"
#include "sop_plugin/solver_dop.h"
#include "tests/sop_plugin/network.h"
#include "tests/support/bodies.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const SIM_DataFactory& factory() {
  if (SIM_DataFactory::all().empty()) initializeSIM(nullptr);
  return *SIM_DataFactory::all().front();
}

// An object with its geometry at every frame, as Houdini's cache keeps it.
class DopNetwork {
 public:
  explicit DopNetwork(const standin::SourceNode::Maker& maker, const Vec3& gravity = {0, -9.81, 0})
      : solver_(static_cast<GAS_SubSolver*>(factory().construct(&factory()))) {
    standin::interrupt_after(-1);
    standin::sim_errors().clear();
    for (const PRM_Template* parm = factory().description()->templates; !parm->name.empty();
         ++parm) {
      if (parm->type == "ramp_flt") continue;  // getX(UT_Ramp&) fails: the declared default
      if (parm->type == "string" || parm->type == "oppath")
        solver_->options().texts[parm->name] = parm->defaults[0].c_str();
      else if (parm->size == 2)
        solver_->options().pairs[parm->name] = {std::stod(parm->defaults[0]),
                                                std::stod(parm->defaults[1])};
      else
        solver_->options().numbers[parm->name] = std::stod(parm->defaults[0]);
    }
    auto detail = std::make_shared<GU_Detail>();
    maker(*detail, 1);
    frames_.push_back(detail);
    object_.forces.push_back(
        std::make_unique<SIM_ForceGravity>(UT_Vector3D(gravity.x(), gravity.y(), gravity.z())));
  }

  double geometry_shift = 0;
  SIM_Options& options() { return solver_->options(); }
  SIM_Object& object() { return object_; }
  GU_Detail& detail() { return *frames_.back(); }

  bool step(double dt = 1.0 / 24) {
    auto next = std::make_shared<GU_Detail>();
    next->replaceWith(*frames_.back());
    object_.geometry["Geometry"] = std::make_unique<SIM_GeometryCopy>(next);
    object_.geometry["Geometry"]->transform.shift = geometry_shift;
    SIM_Engine engine;
    const bool solved = solver_->solve(engine, &object_, SIM_Time(0), SIM_Time(dt));
    frames_.push_back(next);
    return solved;
  }
  void rewind(std::size_t frame) { frames_.resize(frame); }
  std::size_t frame() const { return frames_.size(); }
  Points positions() const { return positions_of(*frames_.back()); }

 private:
  std::unique_ptr<GAS_SubSolver> solver_;
  SIM_Object object_;
  std::vector<std::shared_ptr<GU_Detail>> frames_;
};

// As most geometry in Houdini: positions in single precision, its orientation, no rest attribute.
void fill_plain_bar(GU_Detail& detail, double) {
  const Scene scene = bar_scene();
  const TetMesh& mesh = scene.bodies[0].mesh;
  for (Eigen::Index i = 0; i < mesh.rest.cols(); ++i)
    detail.add_point(mesh.rest(0, i), mesh.rest(1, i), mesh.rest(2, i));
  for (const Tet& tet : mesh.tets)
    detail.add_primitive(GEO_PRIMTETRAHEDRON, {tet[0], tet[2], tet[1], tet[3]});
}

void fill_pinned_plain_bar(GU_Detail& detail, double frame) {
  fill_plain_bar(detail, frame);
  GA_Attribute* pins = detail.addTuple(GA_STORE_INT32, GA_ATTRIB_POINT, "pintoanimation", 1);
  for (GA_Index i = 0; i < 4; ++i) pins->set_number(detail.pointOffset(i), 0, 1);
}

TEST(Dop, IsDescribedAsAMicrosolver) {
  const SIM_DopDescription& description = *factory().description();
  EXPECT_EQ(description.dop_name, "dashpot_solver");
  EXPECT_EQ(description.data_type, "GAS_DashpotSolver");
  EXPECT_TRUE(description.is_gas);
  EXPECT_TRUE(description.unique_data_name);
}

TEST(Dop, StepsAsTheSopDoes) {
  DopNetwork dop(fill_bar);
  Network sop;
  sop.connect(0, fill_bar);
  for (int frame = 2; frame <= 12; ++frame) {
    ASSERT_TRUE(dop.step());
    EXPECT_EQ(dop.positions(), sop.positions(frame)) << frame;
  }
}

TEST(Dop, ItsStateIsExactEvenInSinglePrecisionGeometry) {
  DopNetwork dop(fill_pinned_plain_bar);
  Network sop;
  sop.connect(0, fill_pinned_plain_bar);
  for (int frame = 2; frame <= 12; ++frame) {
    ASSERT_TRUE(dop.step());
    EXPECT_EQ(dop.positions(), sop.positions(frame)) << frame;
  }
}

TEST(Dop, RewindingAndRunningOnEqualsTheFirstRun) {
  for (const int integrator : {1, 2}) {  // BDF2 remembers the step before
    DopNetwork dop(fill_pinned_plain_bar);
    dop.options().numbers["integrator"] = integrator;
    std::vector<Points> first = {dop.positions()};
    while (dop.frame() < 16) {
      ASSERT_TRUE(dop.step());
      first.push_back(dop.positions());
    }
    for (const std::size_t frame : {9u, 1u, 14u, 2u}) {
      dop.rewind(std::min(frame, dop.frame()));
      while (dop.frame() < 16) {
        ASSERT_TRUE(dop.step());
        EXPECT_EQ(dop.positions(), first[dop.frame() - 1]) << "from " << frame;
      }
    }
  }
}

TEST(Dop, TwoObjectsDoNotDisturbEachOther) {
  DopNetwork alone(fill_pinned_plain_bar), one(fill_pinned_plain_bar),
      other(fill_pinned_plain_bar, {3, 0, 0});
  for (int step = 0; step < 8; ++step) {
    alone.step();
    one.step();
    other.step();
    if (step == 3) other.rewind(2);
  }
  EXPECT_EQ(one.positions(), alone.positions());
}

TEST(Dop, GravityComesFromTheNetworkAndMayChange) {
  const auto free_bar = [](GU_Detail& detail, double) {
    Scene scene = bar_scene();
    scene.bodies[0].pins.clear();
    fill_detail(scene, detail);
  };
  DopNetwork dop(free_bar, {0, 0, 4});
  const Points start = dop.positions();
  for (int k = 0; k < 24; ++k) dop.step();
  const Points fallen = dop.positions() - start;
  // Free fall for a second: 0.5 g t^2 exactly, in every point.
  EXPECT_LT((fallen.row(2).array() - 2.0).abs().maxCoeff(), 1e-9);
  EXPECT_LT(fallen.topRows(2).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(Dop, ForceAttributesAccelerateByForceOverMass) {
  const auto pushed = [](GU_Detail& detail, double) {
    Scene scene = bar_scene();
    scene.bodies[0].pins.clear();
    fill_detail(scene, detail);
    // In proportion to the lumped masses the force accelerates all points alike.
    GA_Attribute* force = detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "force", 3);
    const TetMesh& mesh = scene.bodies[0].mesh;
    for (const Tet& tet : mesh.tets)
      for (const int corner : tet) {
        const GA_Offset o = detail.pointOffset(corner);
        force->set_number(o, 0, force->number(o, 0) + 3 * 1000 * signed_volume(mesh.rest, tet) / 4);
      }
  };
  DopNetwork dop(pushed, Vec3::Zero());
  const Points start = dop.positions();
  for (int k = 0; k < 24; ++k) ASSERT_TRUE(dop.step());
  EXPECT_LT(((dop.positions() - start).row(0).array() - 1.5).abs().maxCoeff(), 1e-9);
}

TEST(Dop, WhatOthersDoToPointsIsFollowed) {
  DopNetwork dop(fill_plain_bar, Vec3::Zero());
  dop.step();
  dop.step();
  // Somebody carries the whole body away and gives it a velocity.
  const GA_RWHandleV3D p(dop.detail().getP());
  const GA_RWHandleV3D v(dop.detail().findAttribute(GA_ATTRIB_POINT, "v"));
  for (GA_Index i = 0; i < dop.detail().getNumPoints(); ++i) {
    const GA_Offset o = dop.detail().pointOffset(i);
    p.set(o, UT_Vector3D(p.get(o).x() + 8, p.get(o).y(), p.get(o).z()));
    v.set(o, UT_Vector3D(0, 2.4, 0));
  }
  dop.step();
  EXPECT_NEAR(dop.positions()(0, 0), 8, 1e-5);
  EXPECT_NEAR(dop.positions()(1, 0), 0.1, 1e-5);
}

TEST(Dop, PinnedPointsGoToTargetPWithinTheStep) {
  DopNetwork dop([](GU_Detail& detail, double) {
    fill_detail(bar_scene(), detail);
    detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_POINT, "targetP", 3);
  });
  for (int step = 1; step <= 4; ++step) {
    GU_Detail& detail = dop.detail();
    const GA_RWHandleV3D target(detail.findAttribute(GA_ATTRIB_POINT, "targetP"));
    const GA_ROHandleD rest(detail.findAttribute(GA_ATTRIB_POINT, "rest"));
    for (GA_Index i = 0; i < detail.getNumPoints(); ++i) {
      const GA_Offset o = detail.pointOffset(i);
      target.set(o, UT_Vector3D(rest.get(o, 0), rest.get(o, 1) + 0.02 * step, rest.get(o, 2)));
    }
    ASSERT_TRUE(dop.step());
    EXPECT_NEAR(dop.positions()(1, 0), 0.02 * step, 1e-14);
  }
}

TEST(Dop, ErrorsAndWarningsAreReportedAndNothingIsThrown) {
  DopNetwork dop(fill_pinned_plain_bar);
  dop.options().numbers["youngsmodulus"] = -1;
  EXPECT_FALSE(dop.step());
  ASSERT_THAT(standin::sim_errors(), ::testing::SizeIs(1));
  EXPECT_THAT(standin::sim_errors()[0].text, HasSubstr("youngsmodulus = -1 is out of range"));
  EXPECT_EQ(standin::sim_errors()[0].severity, UT_ERROR_ABORT);

  DopNetwork thrown(fill_pinned_plain_bar);
  standin::throw_after(5);
  EXPECT_FALSE(thrown.step());
  standin::interrupt_after(-1);
  EXPECT_THAT(standin::sim_errors().back().text, HasSubstr("thrown inside the solver"));
  EXPECT_TRUE(thrown.step());

  DopNetwork hasty(fill_pinned_plain_bar);
  hasty.options().numbers["iterations"] = 1;
  EXPECT_TRUE(hasty.step());
  ASSERT_THAT(standin::sim_errors(), Not(IsEmpty()));
  EXPECT_EQ(standin::sim_errors().back().severity, UT_ERROR_WARNING);
}

TEST(Dop, AnInterruptedStepLeavesTheGeometryAsItWas) {
  DopNetwork dop(fill_pinned_plain_bar);
  dop.step();
  const Points before = dop.positions();
  standin::interrupt_after(3);
  EXPECT_FALSE(dop.step());  // it must not pass for a step
  standin::interrupt_after(-1);
  EXPECT_THAT(standin::sim_errors(), ::testing::IsEmpty());
  EXPECT_EQ(dop.positions(), before);
  DopNetwork straight(fill_pinned_plain_bar);
  straight.step();
  straight.step();
  dop.rewind(2);
  dop.step();
  EXPECT_EQ(dop.positions(), straight.positions());
}

TEST(Dop, OnlyWhatChangedGetsNewDataIds) {
  DopNetwork dop(fill_pinned_plain_bar);
  dop.step();
  const auto before = dop.detail().data_ids();
  dop.step();
  std::vector<std::string> changed;
  for (const auto& [name, id] : dop.detail().data_ids())
    if (before.at(name) != id) changed.push_back(name.substr(name.find(':') + 1));
  EXPECT_THAT(changed, ::testing::UnorderedElementsAre("P", "v", "dashpot_state"));
}

void damp_with_ramp(Network& sop, DopNetwork& dop) {
  for (const auto& [name, value] : std::map<std::string, double>{
           {"dampingmodel", 5}, {"dampingstrength", 400}, {"dampingrampmode", 1}}) {
    sop.solver().set_parm(name, value);
    dop.options().numbers[name] = value;
  }
}

TEST(Dop, ItsRampIsThatOfTheSop) {
  Network sop;
  sop.connect(0, fill_pinned_plain_bar);
  DopNetwork dop(fill_pinned_plain_bar);
  damp_with_ramp(sop, dop);
  const Points without = sop.positions(8);
  sop.solver().set_ramp("dampingramp", {{0, 4, 1}, {0.5, 0.25, 1}, {1, 4, 1}});
  UT_Ramp ramp;
  for (const float at : {0.0F, 0.5F, 1.0F}) ramp.add(at, at == 0.5F ? 0.25 : 4, UT_SPLINE_LINEAR);
  dop.options().ramps["dampingramp"] = ramp;
  for (int step = 0; step < 7; ++step) ASSERT_TRUE(dop.step());
  EXPECT_EQ(dop.positions(), sop.positions(8));
  EXPECT_NE(dop.positions(), without);
}

TEST(Dop, TheRangeOfItsRampIsThatOfTheSop) {
  Network sop;
  sop.connect(0, fill_pinned_plain_bar);
  DopNetwork dop(fill_pinned_plain_bar);
  damp_with_ramp(sop, dop);
  const Points with_default_range = sop.positions(8);
  sop.solver().set_parm("dampingramprange", 0.75, 0);
  sop.solver().set_parm("dampingramprange", 1.25, 1);
  dop.options().pairs["dampingramprange"] = {0.75, 1.25};
  for (int step = 0; step < 7; ++step) ASSERT_TRUE(dop.step());
  EXPECT_EQ(dop.positions(), sop.positions(8));
  EXPECT_NE(dop.positions(), with_default_range);
  dop.options().pairs["dampingramprange"] = {1.25, 0.75};
  EXPECT_FALSE(dop.step());
  EXPECT_THAT(standin::sim_errors().back().text,
              HasSubstr("dampingramprange goes from 1.25 to 0.75; its second number must"));
}

TEST(Dop, EveryInterpolationOfItsRampIsThatOfTheSop) {
  const std::map<int, UT_SPLINE_BASIS> bases = {
      {1, UT_SPLINE_LINEAR}, {2, UT_SPLINE_CATMULL_ROM}, {3, UT_SPLINE_MONOTONECUBIC},
      {4, UT_SPLINE_BEZIER}, {0, UT_SPLINE_CONSTANT},    {5, UT_SPLINE_BSPLINE},
      {6, UT_SPLINE_HERMITE}};
  for (const auto& [menu_item, basis] : bases) {
    Network sop;
    sop.connect(0, fill_pinned_plain_bar);
    DopNetwork dop(fill_pinned_plain_bar);
    damp_with_ramp(sop, dop);
    std::vector<OP_Node::RampKeyParm> keys;
    UT_Ramp ramp;
    for (const auto& [at, value] : {std::pair{0.F, 4.F}, {0.25F, 1.F}, {0.75F, 2.F}, {1.F, 4.F}}) {
      keys.push_back({at, value, menu_item});
      ramp.add(at, value, basis);
    }
    sop.solver().set_ramp("dampingramp", keys);
    dop.options().ramps["dampingramp"] = ramp;
    for (int step = 0; step < 4; ++step) ASSERT_TRUE(dop.step()) << menu_item;
    EXPECT_EQ(dop.positions(), sop.positions(5)) << menu_item;
  }
}

TEST(Dop, ARampThatIsOffMayLookAsItLikes) {
  DopNetwork dop(fill_pinned_plain_bar), plain(fill_pinned_plain_bar);
  UT_Ramp ramp;
  ramp.add(0, -1, UT_SPLINE_LINEAR);
  dop.options().ramps["dampingramp"] = ramp;
  dop.options().pairs["dampingramprange"] = {1, 0};
  for (DopNetwork* network : {&dop, &plain}) ASSERT_TRUE(network->step());
  EXPECT_EQ(dop.positions(), plain.positions());
}

TEST(Dop, FactorisationsLiveAsLongAsThereIsASolver) {
  std::weak_ptr<Microsolver> shared;
  {
    DopNetwork one(fill_pinned_plain_bar);
    ASSERT_TRUE(one.step());
    const DopNetwork other(fill_pinned_plain_bar);
    shared = shared_microsolver();
    EXPECT_EQ(shared.use_count(), 2);
  }
  EXPECT_TRUE(shared.expired());
}

TEST(Dop, AnObjectWithATransformIsRefused) {
  DopNetwork dop(fill_pinned_plain_bar);
  auto& position = dop.object().positions["Geometry"];
  position = std::make_unique<SIM_Position>();
  EXPECT_TRUE(dop.step());
  position->transform.shift = 1;
  EXPECT_FALSE(dop.step());
  ASSERT_THAT(standin::sim_errors(), ::testing::SizeIs(1));
  EXPECT_THAT(standin::sim_errors().back().text, HasSubstr("transform its points instead"));
  dop.geometry_shift = -1;  // both together are none
  EXPECT_TRUE(dop.step());
  position = nullptr;
  EXPECT_FALSE(dop.step());
}

// Tasks of one loop may run inside each other while they wait: a lock around the solver would stop
// for ever.
TEST(Dop, TasksOfAParallelLoopMayStepAtTheSameTime) {
  constexpr int kBodies = 6, kSteps = 3;
  GU_Detail bar;
  fill_detail(bar_scene(), bar);
  const auto run = [&](Microsolver& microsolver) {
    const DetailView view(bar, "a bar");
    Microstep step(view);
    for (const Parameter& p : parameters())
      if (p.scope == ParameterScope::kPrim) step.fields.set(p.token, p.number, "test");
    step.dt = 1.0 / 24;
    MicrostepResult result;
    for (int k = 0; k < kSteps; ++k) {
      result = microsolver.step(step);
      step.state = result.state;
    }
    return result.x;
  };
  Microsolver alone, shared;
  const Points expected = run(alone);
  std::vector<Points> made(kBodies);
  tbb::parallel_for(0, kBodies, [&](int i) { made[static_cast<std::size_t>(i)] = run(shared); });
  for (const Points& points : made) EXPECT_EQ(points, expected);
}

TEST(Dop, DiagnosticsAreAttributesBehindToggles) {
  DopNetwork dop(fill_pinned_plain_bar);
  dop.step();
  EXPECT_EQ(dop.detail().findAttribute(GA_ATTRIB_PRIMITIVE, "strain"), nullptr);
  dop.options().numbers["outputstrain"] = 1;
  dop.step();
  EXPECT_NE(dop.detail().findAttribute(GA_ATTRIB_PRIMITIVE, "strain"), nullptr);
  EXPECT_EQ(dop.detail().findAttribute(GA_ATTRIB_POINT, "contactforce"), nullptr);
  dop.options().numbers["outputcontacts"] = 1;
  dop.step();
  EXPECT_NE(dop.detail().findAttribute(GA_ATTRIB_POINT, "contactforce"), nullptr);
  EXPECT_EQ(dop.detail().findAttribute(GA_ATTRIB_POINT, "Cd"), nullptr);
  dop.options().numbers["outputcontactcolor"] = 1;
  dop.step();
  EXPECT_NE(dop.detail().findAttribute(GA_ATTRIB_POINT, "Cd"), nullptr);
}

}  // namespace
}  // namespace dashpot
