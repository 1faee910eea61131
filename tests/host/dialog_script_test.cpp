#include "solver/host/dialog_script.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>

namespace dashpot {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(DialogFolders, HoldEveryParameterOnce) {
  for (const NodeKind kind : {NodeKind::kSop, NodeKind::kDop}) {
    std::map<std::string, int> count;
    for (const DialogFolder& folder : dialog_folders(kind))
      for (const std::string& token : folder.tokens) ++count[token];
    for (const Parameter& p : parameters())
      EXPECT_EQ(count[p.token], kind == NodeKind::kDop && p.token == "gravity" ? 0 : 1) << p.token;
    for (const NodeParameter& p : node_parameters(kind)) EXPECT_EQ(count[p.token], 1) << p.token;
    for (const auto& [token, times] : count) EXPECT_LE(times, 1) << token;
  }
}

TEST(DialogScript, BracesAndQuotesAreBalanced) {
  for (const NodeKind kind : {NodeKind::kSop, NodeKind::kDop}) {
    int depth = 0;
    bool quoted = false;
    const std::string script = dialog_script(kind);
    for (std::size_t i = 0; i < script.size(); ++i) {
      if (script[i] == '\\') {
        ++i;
      } else if (script[i] == '"') {
        quoted = !quoted;
      } else if (!quoted) {
        depth += script[i] == '{';
        depth -= script[i] == '}';
        ASSERT_GE(depth, 0);
      }
      ASSERT_FALSE(quoted && script[i] == '\n') << "a text goes over the end of its line";
    }
    EXPECT_EQ(depth, 0);
    EXPECT_FALSE(quoted);
  }
}

TEST(DialogScript, SaysTypesDefaultsRangesMenusAndRules) {
  const std::string script = dialog_script(NodeKind::kSop);
  for (const char* part :
       {"type        ordinal\n            default     { \"2\" }\n            menu {\n"
        "                \"backwardeuler\" \"Backward Euler\"\n",
        "default     { \"0\" \"-9.81\" \"0\" }", "range       { 1! 10 }",
        "disablewhen \"{ cacheenabled == 0 }\"", "label       \"Young's Modulus (Pa)\"",
        "name        \"resimulate\"\n            label       \"Reset Simulation\"\n"
        "            type        button\n"})
    EXPECT_THAT(script, HasSubstr(part));
  EXPECT_THAT(dialog_script(NodeKind::kDop), Not(HasSubstr("\"startframe\"")));
}

// Whether a rule such as { a == 1 b != 2 } { c == 3 } holds: one of its groups, each of them whole.
bool holds(const std::string& rule, std::map<std::string, std::string> values) {
  std::istringstream words(rule);
  bool any = false, all = true;
  for (std::string word, comparison, value; words >> word;) {
    if (word == "{") {
      all = true;
    } else if (word == "}") {
      any = any || all;
    } else {
      words >> comparison >> value;
      all = all && (values[word] == value) == (comparison == "==");
    }
  }
  return any;
}

TEST(DisableRule, ReferenceRateIsOpenWhereItHasAnEffect) {
  const std::string rule = parameter("dampingreference").disabled_when;
  const auto is_disabled = [&](const char* model, const char* exponent, const char* ramp) {
    return holds(
        rule, {{"dampingmodel", model}, {"dampingexponent", exponent}, {"dampingrampmode", ramp}});
  };
  EXPECT_TRUE(is_disabled("none", "2", "perrate"));
  EXPECT_TRUE(is_disabled("stretchrate", "1", "off"));
  EXPECT_TRUE(is_disabled("stretchrate", "1", "perstrain"));
  EXPECT_FALSE(is_disabled("stretchrate", "2", "off"));
  EXPECT_FALSE(is_disabled("stretchrate", "1", "perrate")) << "it is the unit of ramps over rate";
}

TEST(NodeHelp, HasAnEntryForEveryParameter) {
  for (const NodeKind kind : {NodeKind::kSop, NodeKind::kDop})
    for (const DialogFolder& folder : dialog_folders(kind))
      for (const std::string& token : folder.tokens)
        EXPECT_THAT(node_help(kind), HasSubstr("#id: " + token + "\n"));
}

std::string text_of(const std::string& path) {
  std::ifstream file(DASHPOT_SOURCE_DIR "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(NodeHelp, IsTheOneInThePackage) {
  const std::string folder = "sop_plugin/package/dashpot/help/nodes/";
  EXPECT_EQ(text_of(folder + "sop/dashpot--solver-1.0.txt"), node_help(NodeKind::kSop))
      << "run: dashpot params --sop-help > " << folder << "sop/dashpot--solver-1.0.txt";
  EXPECT_EQ(text_of(folder + "dop/dashpot_solver.txt"), node_help(NodeKind::kDop))
      << "run: dashpot params --dop-help > " << folder << "dop/dashpot_solver.txt";
}

TEST(NodePage, IsTheOneInTheDocumentation) {
  EXPECT_EQ(text_of("docs/houdini_parameters.md"), node_parameters_page())
      << "run: dashpot params --houdini > docs/houdini_parameters.md";
}

}  // namespace
}  // namespace dashpot
