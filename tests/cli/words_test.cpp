#include <gmock/gmock.h>

#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kWordsScene =
    "[simulation]\nframes = [1, 2]\n[[body]]\nname = \"a\"\n"
    "geometry = { type = \"box\", cells = 2 }\n";

// What libraries would have said.
auto in_our_words() {
  return AllOf(Not(HasSubstr("exception")), Not(HasSubstr("Value ")),
               Not(HasSubstr("not in range")), Not(HasSubstr("FAILED")), Not(HasSubstr("required")),
               Not(HasSubstr("Could not")), Not(HasSubstr("should not happen")),
               Not(HasSubstr("INT")), Not(HasSubstr("TEXT")));
}

struct Mistake {
  std::vector<std::string> arguments;
  const char* sentence;
};

TEST_F(DashpotTest, MistakesOnTheCommandLineAreExplainedInOurOwnWords) {
  write("s.toml", kWordsScene);
  const Mistake cases[] = {
      {{"render", "r", "--shade", "strain", "--top", "0"},
       "--top: 0 is out of range; use a number above 0."},
      {{"render", "r", "--surface", "foo"},
       "--surface: there is no choice 'foo'; use auto, skin or tets."},
      {{"render", "r", "--width", "big"}, "--width: 'big' is not a number; use 1 to 16384."},
      {{"render", "r", "--frame", "x"}, "--frame: 'x' is not a number"},
      {{"render", "r", "--top", "2"}, "--top needs --shade; add it."},
      {{"render", "r", "--view", "0,0,1", "--camera", "1,1,1:0,0,0"},
       "cannot be given together with"},
      {{"simulate"}, "simulate needs scene: scene file (.toml)."},
      {{"simulate", "s.toml", "--treads", "2"},
       "simulate has no option --treads; did you mean '--threads'?"},
      {{"simulate", "s.toml", "t.toml"}, "'t.toml' is one word too many for simulate"},
      {{"simulate", "s.toml", "--threads", "1e9"},
       "--threads: 1e9 is out of range; use 1 to 1024."},
      {{"simulate", "s.toml", "--progress", "baar"},
       "--progress: there is no choice 'baar'; did you mean 'bar'?"},
      {{"simulate", "s.toml", "--out"}, "--out needs a value"},
      {{"wedge", "nope", "--status"}, "there is no scene or folder of a wedge 'nope'"},
      {{"wedge", "s.toml", "--submit", "slrm"},
       "--submit: there is no choice 'slrm'; did you mean 'slurm'?"},
      {{"make-collider", "box", "-o", "c.vdb", "--size", "1", "2"}, "--size needs 3 values"},
      {{"make-collider", "sfere", "-o", "c.vdb"},
       "there is no shape 'sfere'; did you mean 'sphere'?"},
      {{"make-collider", "sphere", "-o", "c.vdb", "--voxelsize", "5"},
       "the sphere is 1 m thin, which voxels of 5 m cannot show; set voxelsize = 0.2."},
      {{"params", "--json", "--markdown"}, "params takes only one of"},
  };
  for (const Mistake& mistake : cases) {
    SCOPED_TRACE(::testing::PrintToString(mistake.arguments));
    const ProcessResult result = run(mistake.arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr(mistake.sentence), in_our_words()));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
  }
}

TEST_F(DashpotTest, AShapeThinnerThanItsVoxelsIsRefused) {
  write("s.toml", std::string(kWordsScene) +
                      "[[collider]]\nname = \"c\"\n"
                      "shape = { type = \"box\", size = [1, 0.2, 1], voxelsize = 0.5 }\n");
  const ProcessResult result = run({"simulate", "s.toml"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("s.toml:8: collider 'c' shape: the box is 0.2 m thin"));
  EXPECT_THAT(result.err, HasSubstr("set voxelsize = 0.04."));
}

TEST_F(DashpotTest, TheRampDefaultCanBePasted) {
  const std::string page = run({"params", "--markdown"}).out;
  const std::size_t row = page.find("| `dampingramp` | `");
  ASSERT_NE(row, std::string::npos);
  const std::size_t begin = page.find('{', row), end = page.find('`', begin);
  write("s.toml",
        std::string(kWordsScene) + "dampingramp = " + page.substr(begin, end - begin) + "\n");
  const ProcessResult result = run({"info", "s.toml"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(DashpotTest, AdviceIsSaidOnceAndKeptInTheRecord) {
  write("s.toml", std::string(kWordsScene) + "poissonratio = 0.4999\n");
  const ProcessResult result = run({"simulate", "s.toml", "--frames", "1-1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("dashpot: body 'a': poissonratio = 0.4999 is so near 0.5"));
  const auto record = nlohmann::json::parse(read("out/s/run.json"));
  EXPECT_THAT(record["warnings"].dump(), HasSubstr("0.4999"));
}

TEST_F(DashpotTest, InfoOfASceneTellsMaterialsDampingAndColliders) {
  write("s.toml",
        "[simulation]\nsubsteps = 2\n[[body]]\nname = \"a\"\n"
        "geometry = { type = \"box\", size = [2, 1, 1], cells = 3 }\n"
        "youngsmodulus = 2e5\ndampingmodel = \"stretchrate\"\ndampingstrength = 300\n"
        "pin = { box = [[-2, -2, -2], [-0.9, 2, 2]] }\n"
        "[[collider]]\nname = \"floor\"\nplane = { point = [0, -2, 0] }\nfriction = 0.3\n"
        "velocity = [1, 0, 0]\n");
  const ProcessResult result = run({"info", "s.toml"});
  for (const char* part :
       {"settings substeps = 2", "body     a: box, 64 points, 162 tets, 2 x 1 x 1 m",
        "youngsmodulus = 200000 Pa", "damping  stretchrate, dampingstrength = 300 Pa s",
        "pinned   16 points stay", "collider floor: plane through [0, -2, 0] with normal [0, 1, 0]",
        "moves, friction = 0.3, restitution = 0"})
    EXPECT_THAT(result.out, HasSubstr(part));
  const auto json = nlohmann::json::parse(run({"info", "s.toml", "--json"}).out);
  EXPECT_EQ(json["bodies"][0]["parameters"]["dampingstrength"], 300);
  EXPECT_EQ(json["colliders"][0]["name"], "floor");
  EXPECT_EQ(json["changed_settings"].size(), 1U);
}

}  // namespace
}  // namespace dashpot
