#include "solver/host/node_ramp.h"

#include <gmock/gmock.h>

#include <limits>

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
