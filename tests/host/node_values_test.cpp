#include "solver/host/node_values.h"

#include <gmock/gmock.h>

#include "solver/base/error.h"

namespace dashpot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double default_value(const Parameter& p, int component) {
  return p.type == ParameterType::kVector3 ? p.vector[component] : p.number;
}

NodeRamp default_ramp(const Parameter& p) {
  return node_ramp(p, p.ramp);
}

EvaluateParameter with(const std::string& token, double value) {
  return [=](const Parameter& p, int component) {
    return p.token == token ? value : default_value(p, component);
  };
}

TEST(NodeValues, DefaultsAreTheDeclaredOnes) {
  const NodeValues values = read_node_values(NodeKind::kSop, default_value, default_ramp);
  const SolverSettings defaults;
  EXPECT_EQ(values.settings.integrator, defaults.integrator);
  EXPECT_EQ(values.settings.gravity, defaults.gravity);
  EXPECT_EQ(values.settings.iterations, defaults.iterations);
  EXPECT_EQ(values.fields.get("youngsmodulus", 0), parameter("youngsmodulus").number);
  EXPECT_FALSE(values.pin_all);
}

TEST(NodeValues, ReachTheSolver) {
  EXPECT_EQ(read_node_values(NodeKind::kSop, with("substeps", 7), default_ramp).settings.substeps,
            7);
  EXPECT_EQ(read_node_values(NodeKind::kSop, with("poissonratio", 0.1), default_ramp)
                .fields.get("poissonratio", 0),
            0.1);
  EXPECT_TRUE(read_node_values(NodeKind::kSop, with("pintoanimation", 1), default_ramp).pin_all);
}

TEST(NodeValues, EveryValueChangesTheHash) {
  const std::uint64_t original = read_node_values(NodeKind::kSop, default_value, default_ramp).hash;
  for (const Parameter& p : parameters()) {
    if (p.type == ParameterType::kRamp) continue;
    const double other = p.type == ParameterType::kFloat ? 0.5 * p.number + 0.01
                         : p.number == 1                 ? (p.max == 1 ? 0 : 2)
                                                         : 1;
    EXPECT_NE(read_node_values(NodeKind::kSop, with(p.token, other), default_ramp).hash, original)
        << p.token;
  }
}

TEST(NodeValues, RampsAreReadKeyByKeyAndChangeTheHash) {
  const std::vector<RampKey> keys = {{0.5, 2, RampInterpolation::kLinear},
                                     {1.5, 1, ramp_interpolation(ramp_menu_item(3))}};
  const auto read = [](const NodeRamp& ramp) {
    return read_node_values(NodeKind::kSop, default_value, [&](const Parameter&) { return ramp; });
  };
  const NodeValues values = read({keys, {0, 1}});
  ASSERT_EQ(values.damping_ramp->keys().size(), 2u);
  EXPECT_EQ(values.damping_ramp->keys()[1].interpolation, RampInterpolation::kMonotoneCubic);
  EXPECT_NE(values.hash, read_node_values(NodeKind::kSop, default_value, default_ramp).hash);
  EXPECT_THROW(ramp_interpolation(ramp_menu_item(6)), InputError);
}

TEST(NodeValues, OutOfRangeIsRefusedWithTheParametersName) {
  try {
    read_node_values(NodeKind::kSop, with("massdensity", -1), default_ramp);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("massdensity = -1 is out of range"));
  }
}

TEST(NodeValues, ADopIsNotAskedForGravity) {
  read_node_values(
      NodeKind::kDop,
      [](const Parameter& p, int component) {
        EXPECT_NE(p.token, "gravity");
        return default_value(p, component);
      },
      default_ramp);
}

TEST(NodeValues, TellWhichParametersDiffer) {
  EXPECT_THAT(differing_parameters(NodeKind::kSop, default_value, with("substeps", 3)),
              ElementsAre("substeps"));
  EXPECT_THAT(differing_parameters(NodeKind::kSop, default_value, default_value), ElementsAre());
}

}  // namespace
}  // namespace dashpot
