#include "solver/host/node_values.h"

#include <gmock/gmock.h>

#include "solver/base/error.h"
#include "tests/support/parameters.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

EvaluateParameter with(const std::string& token, double value) {
  return [=](const Parameter& p, int component) {
    return p.token == token ? value : default_component(p, component);
  };
}

TEST(NodeValues, DefaultsAreTheDeclaredOnes) {
  const NodeValues values = read_node_values(NodeKind::kSop, default_component);
  const SolverSettings defaults;
  EXPECT_EQ(values.settings.integrator, defaults.integrator);
  EXPECT_EQ(values.settings.gravity, defaults.gravity);
  EXPECT_EQ(values.settings.iterations, defaults.iterations);
  EXPECT_EQ(values.fields.get("youngsmodulus", 0), parameter("youngsmodulus").number);
  EXPECT_FALSE(values.pin_all);
}

TEST(NodeValues, ReachTheSolver) {
  EXPECT_EQ(read_node_values(NodeKind::kSop, with("substeps", 7)).settings.substeps, 7);
  EXPECT_EQ(
      read_node_values(NodeKind::kSop, with("poissonratio", 0.1)).fields.get("poissonratio", 0),
      0.1);
  EXPECT_TRUE(read_node_values(NodeKind::kSop, with("pintoanimation", 1)).pin_all);
  EXPECT_TRUE(read_node_values(NodeKind::kSop, with("untangle", 1)).settings.untangle);
}

TEST(NodeValues, CoefficientsAreThoseOfCollidersAndOfBodiesAmongThemselves) {
  for (const NodeKind kind : {NodeKind::kSop, NodeKind::kDop}) {
    EXPECT_TRUE(read_node_values(kind, default_component).contact.self_contact);
    EXPECT_FALSE(read_node_values(kind, with("selfcontact", 0)).contact.self_contact);
    const NodeValues values = read_node_values(kind, with("friction", 0.25));
    EXPECT_EQ(values.collider.friction, 0.25);
    EXPECT_EQ(values.contact.friction, 0.25);
    EXPECT_EQ(read_node_values(kind, with("restitution", 0.75)).contact.restitution, 0.75);
  }
}

TEST(NodeValues, EveryValueChangesTheHash) {
  const std::uint64_t original = read_node_values(NodeKind::kSop, default_component).hash;
  for (const Parameter& p : parameters()) {
    if (p.type == ParameterType::kRamp) continue;
    const EvaluateParameter other = with(p.token, other_number(p));
    EXPECT_NE(read_node_values(NodeKind::kSop, other).hash, original) << p.token;
  }
}

// One tet, perhaps with an attribute.
class TetView final : public GeometryView {
 public:
  explicit TetView(std::string attribute = "") : attribute_(std::move(attribute)) {}
  const std::string& description() const override { return attribute_; }
  int point_count() const override { return 4; }
  int primitive_count() const override { return 1; }
  GeometryTets tets() const override { return {}; }
  GeometryLines lines() const override { return {}; }
  std::vector<bool> used_points() const override { return {}; }
  std::unique_ptr<AttributeView> find(AttributeOwner, const std::string& name) const override {
    class None final : public AttributeView {
      Kind kind() const override { return Kind::kOther; }
      int tuple_size() const override { return 0; }
      double number(int, int) const override { return 0; }
      std::string text(int) const override { return ""; }
    };
    return name == attribute_ ? std::make_unique<None>() : nullptr;
  }
  std::vector<bool> group(AttributeOwner, const std::string&) const override { return {}; }

 private:
  std::string attribute_;
};

TEST(NodeValues, RampsAreReadIfTheyAreOnAndChangeTheHash) {
  const NodeRamp ramp{{{0, 2, RampInterpolation::kLinear}, {1, 1}}, {0.5, 2.5}};
  int reads = 0;
  const auto evaluate = [&](const Parameter&) {
    ++reads;
    return ramp;
  };
  NodeValues off = read_node_values(NodeKind::kSop, default_component);
  const std::uint64_t hash = off.hash;
  read_node_ramp(evaluate, TetView(), off);
  EXPECT_EQ(reads, 0);
  EXPECT_EQ(off.damping_ramp, nullptr);
  EXPECT_EQ(off.hash, hash);
  read_node_ramp(evaluate, TetView("dampingrampmode"), off);
  EXPECT_EQ(reads, 1);
  EXPECT_NE(off.hash, hash);
  NodeValues on = read_node_values(NodeKind::kSop, with("dampingrampmode", 2));
  read_node_ramp(evaluate, TetView(), on);
  ASSERT_EQ(on.damping_ramp->keys().size(), 2u);
  EXPECT_EQ(on.damping_ramp->keys()[0].position, 0.5);
  EXPECT_EQ(on.damping_ramp->keys()[1].position, 2.5);
  EXPECT_EQ(on.damping_ramp->keys()[1].interpolation, RampInterpolation::kMonotoneCubic);
}

TEST(NodeValues, OutOfRangeIsRefusedWithTheParametersName) {
  try {
    read_node_values(NodeKind::kSop, with("massdensity", -1));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("massdensity = -1 is out of range"));
  }
}

TEST(NodeValues, ADopIsNotAskedForGravity) {
  read_node_values(NodeKind::kDop, [](const Parameter& p, int component) {
    EXPECT_NE(p.token, "gravity");
    return default_component(p, component);
  });
}

TEST(NodeValues, TellWhichParametersDiffer) {
  EXPECT_THAT(differing_parameters(NodeKind::kSop, default_component, with("substeps", 3)),
              ElementsAre("substeps"));
  EXPECT_THAT(differing_parameters(NodeKind::kSop, default_component, default_component),
              ElementsAre());
}

}  // namespace
}  // namespace dashpot
