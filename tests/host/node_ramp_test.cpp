#include "solver/host/node_ramp.h"

#include <gmock/gmock.h>

#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>

#include "solver/base/error.h"
#include "solver/host/dialog_script.h"
#include "solver/host/presets.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

const Parameter& damping_ramp() {
  return parameter("dampingramp");
}

TEST(NodeRamp, KeysOfTheDefaultAndOfAllPresetsAreFromZeroToOneAndComeBackAsTheyWere) {
  std::vector<std::vector<RampKey>> lists = {damping_ramp().ramp};
  for (const Preset& preset : presets()) lists.push_back(preset.ramp);
  for (const std::vector<RampKey>& keys : lists) {
    const NodeRamp of_node = node_ramp(damping_ramp(), keys);
    const std::vector<RampKey> back = ramp_keys(damping_ramp(), of_node, "test");
    ASSERT_EQ(back.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_GE(of_node.keys[i].position, 0);
      EXPECT_LE(of_node.keys[i].position, 1);
      EXPECT_DOUBLE_EQ(back[i].position, keys[i].position);
      EXPECT_EQ(back[i].value, keys[i].value);
      EXPECT_EQ(back[i].interpolation, keys[i].interpolation);
    }
  }
}

double no_curve(double) {
  ADD_FAILURE() << "sampled";
  return 0;
}

TEST(NodeRamp, KeysArePutInOrderAndApart) {
  const NodeRamp made = make_node_ramp(
      {{0.5, 3, "linear"}, {0, 1, "constant"}, {0.5, 4, "bezier"}, {0.5, 5, "catmull-rom"}}, {0, 1},
      no_curve);
  ASSERT_EQ(made.keys.size(), 4u);
  const double values[] = {1, 3, 4, 5};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(made.keys[i].value, values[i]);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GT(made.keys[i].position, made.keys[i - 1].position);
    EXPECT_NEAR(made.keys[i].position, 0.5, 1e-5);
  }
  EXPECT_EQ(made.keys[0].interpolation, RampInterpolation::kConstant);
}

TEST(NodeRamp, EveryBasisOfHoudiniIsUnderstood) {
  for (int item = 0; item < 7; ++item) {
    const std::string basis = ramp_basis(item);
    int samples = 0;
    const auto curve = [&](double position) {
      ++samples;
      return position == 0 ? -1e-9 : 2 * position;  // rounding is no negative damping
    };
    const NodeRamp made = make_node_ramp({{0, 0, basis}, {1, 2, basis}}, {0.5, 1.5}, curve);
    const bool own = item < 5;
    EXPECT_EQ(samples, own ? 0 : 257) << basis;
    const Ramp ramp(ramp_keys(damping_ramp(), made, basis), basis);
    EXPECT_NEAR(ramp.value(1.5), 2, 1e-12) << basis;
    EXPECT_NEAR(ramp.value(0.75), item == 0 ? 0 : 0.5, item == 2 || item == 3 ? 0.2 : 1e-6)
        << basis;
  }
}

// sop_plugin/verify_questions.py asks Houdini for the same.
TEST(NodeRamp, TheScriptThatAsksHoudiniKnowsOurCurves) {
  std::ifstream file(DASHPOT_SOURCE_DIR "/sop_plugin/verify_questions.py");
  std::stringstream script;
  script << file.rdbuf();
  const std::pair<const char*, RampInterpolation> bases[] = {
      {"Constant", RampInterpolation::kConstant},
      {"Linear", RampInterpolation::kLinear},
      {"CatmullRom", RampInterpolation::kCatmullRom},
      {"MonotoneCubic", RampInterpolation::kMonotoneCubic},
      {"Bezier", RampInterpolation::kBezier}};
  for (const auto& [name, basis] : bases) {
    const Ramp ramp({{0, 1, basis}, {0.25, 0.2, basis}, {0.75, 0.8, basis}, {1, 0.1, basis}}, name);
    std::ostringstream line;
    line << std::fixed << std::setprecision(6) << "    \"" << name << "\": (";
    for (const double at : {0.125, 0.375, 0.5, 0.875})
      line << (at > 0.2 ? ", " : "") << ramp.value(at);
    EXPECT_THAT(script.str(), HasSubstr(line.str() + "),\n"));
  }
}

TEST(NodeRamp, ARangeThatIsNoneIsRefusedByName) {
  const double not_a_number = std::numeric_limits<double>::quiet_NaN();
  for (const RampRange range : {RampRange{1, 1}, {1.5, 0.5}, {not_a_number, 1}, {0, not_a_number}})
    try {
      ramp_keys(damping_ramp(), {{{0, 1}}, range}, "the node");
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("the node: dampingramprange goes from"));
    }
}

TEST(NodeRamp, DialogsHaveTheRangeAndKeysOnIt) {
  for (const NodeKind kind : {NodeKind::kSop, NodeKind::kDop}) {
    const std::string script = dialog_script(kind);
    EXPECT_THAT(script, HasSubstr("name        \"dampingramprange\"\n"
                                  "            label       \"Ramp Range\"\n"
                                  "            type        float\n"
                                  "            size        2\n"
                                  "            default     { \"0.5\" \"1.5\" }\n"));
    EXPECT_THAT(script, HasSubstr("1pos ( 0.2 ) 1value ( 1 ) 1interp ( monotonecubic ) "
                                  "2pos ( 0.5 ) 2value ( 0.1 ) 2interp ( monotonecubic ) "
                                  "3pos ( 0.8 ) 3value ( 1 ) 3interp ( monotonecubic )"));
  }
}

}  // namespace
}  // namespace dashpot
