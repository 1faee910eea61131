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

EvaluateParameter with(const std::string& token, double value) {
  return [=](const Parameter& p, int component) {
    return p.token == token ? value : default_value(p, component);
  };
}

TEST(NodeValues, DefaultsAreTheDeclaredOnes) {
  const NodeValues values = read_node_values(NodeKind::kSop, default_value);
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
}

TEST(NodeValues, EveryValueChangesTheHash) {
  const std::uint64_t original = read_node_values(NodeKind::kSop, default_value).hash;
  for (const Parameter& p : parameters()) {
    const double other = p.type == ParameterType::kFloat ? 0.5 * p.number + 0.01
                         : p.number == 1                 ? (p.max == 1 ? 0 : 2)
                                                         : 1;
    EXPECT_NE(read_node_values(NodeKind::kSop, with(p.token, other)).hash, original) << p.token;
  }
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
    return default_value(p, component);
  });
}

TEST(NodeValues, TellWhichParametersDiffer) {
  EXPECT_THAT(differing_parameters(NodeKind::kSop, default_value, with("substeps", 3)),
              ElementsAre("substeps"));
  EXPECT_THAT(differing_parameters(NodeKind::kSop, default_value, default_value), ElementsAre());
}

}  // namespace
}  // namespace dashpot
