#include <gmock/gmock.h>

#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNodes = "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n";
constexpr const char* kTets = "2 4 0\n0 0 1 2 3\n1 1 2 3 4\n";

struct BadInput {
  const char* name;
  const char* nodes;    // of mesh.node
  const char* tets;     // of mesh.ele
  const char* lines;    // added to the body
  const char* culprit;  // must be named on standard error
};

// What the foundation promises to refuse: exit code 2 and one sentence that names the culprit.
TEST_F(DashpotTest, BadScenesGiveExitCodeTwoAndOneSentence) {
  const BadInput cases[] = {
      {"nan position", "5 3 0 0\n0 0 0 0\n1 nan 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n", kTets, "",
       "point 1"},
      {"zero-volume tet", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 1 1 0\n4 1 1 1\n", kTets, "",
       "tet 0 has zero volume"},
      {"mixed orientation", kNodes, "2 4 0\n0 0 1 2 3\n1 2 1 3 4\n", "", "both orientations"},
      {"index out of range", kNodes, "2 4 0\n0 0 1 2 3\n1 1 2 3 9\n", "", "mesh.ele:3"},
      {"truncated points", "5 3 0 0\n0 0 0 0\n1 1 0", kTets, "", "mesh.node:1"},
      {"truncated tets", kNodes, "2 4 0\n0 0 1 2 3\n", "", "mesh.ele"},
      {"unknown key", kNodes, kTets, "yungsmodulus = 1e5", "did you mean 'youngsmodulus'?"},
      {"wrong type", kNodes, kTets, "youngsmodulus = \"soft\"", "scene.toml:4"},
      {"negative modulus", kNodes, kTets, "youngsmodulus = -5", "youngsmodulus = -5"},
      {"poisson ratio", kNodes, kTets, "poissonratio = 0.5", "poissonratio = 0.5"},
      {"bad syntax", kNodes, kTets, "youngsmodulus = = 3", "scene.toml:4"},
      {"missing mesh", kNodes, kTets, "[[body]]\ngeometry = \"none.msh\"", "none.msh"},
      {"unknown format", kNodes, kTets, "[[body]]\ngeometry = \"scene.toml\"", "scene.toml"},
      {"collider", kNodes, kTets, "[[collider]]\nfriction = 1", "collider"},
  };
  for (const BadInput& bad : cases) {
    SCOPED_TRACE(bad.name);
    write("mesh.node", bad.nodes);
    write("mesh.ele", bad.tets);
    write("scene.toml",
          std::string("[[body]]\nname = \"a\"\ngeometry = \"mesh.node\"\n") + bad.lines + "\n");
    const ProcessResult result = run({"simulate", "scene.toml"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(bad.culprit));
    EXPECT_THAT(result.err, ::testing::StartsWith("dashpot: "));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(exists("out")) << "nothing is written for a scene that cannot be simulated";
  }
}

struct BadCommand {
  std::vector<std::string> arguments;
  const char* culprit;
};

TEST_F(DashpotTest, BadCommandsGiveExitCodeTwoAndOneSentence) {
  write("scene.toml",
        "[simulation]\nframes = [1, 2]\n[[body]]\nname = \"a\"\n"
        "geometry = { type = \"box\", cells = 1 }\n");
  write("file", "");
  write("broken.mesh", "MeshVersionFormatted 2\nDimension 3\nVertices\n4\n0 0 0 0\n");
  const BadCommand cases[] = {
      {{}, "say what to do"},
      {{"simulat"}, "did you mean 'simulate'?"},
      {{"simulate"}, "scene"},
      {{"simulate", "none.toml"}, "none.toml"},
      {{"simulate", "scene.toml", "--frame", "3"}, "--frame"},
      {{"simulate", "scene.toml", "--threads", "0"}, "--threads"},
      {{"simulate", "scene.toml", "--threads", "two"}, "--threads"},
      {{"simulate", "scene.toml", "--progress", "loud"}, "--progress"},
      {{"simulate", "scene.toml", "--pool", "fx"}, "--submit"},
      {{"simulate", "scene.toml", "--submit", "lsf"}, "there is no choice 'lsf'"},
      {{"wedge", "scene.toml", "--status", "--submit", "slurm"},
       "--status cannot be given together with --submit"},
      {{"simulate", "scene.toml", "--frames", "5"}, "--frames 5"},
      {{"simulate", "scene.toml", "--frames", "2-1"}, "--frames 2-1"},
      {{"simulate", "scene.toml", "--frames", "2-3"}, "first frame, 1"},
      {{"simulate", "scene.toml", "--set", "body.b.scale=1"},
       "there is no body 'b' in the scene; use a."},
      {{"simulate", "scene.toml", "--set", "simulation.substeps=0"}, "substeps = 0"},
      {{"simulate", "scene.toml", "--out", "a.geo"}, "$F"},
      {{"simulate", "scene.toml", "--out", "a.$F.abc"}, "end it in .bgeo.sc"},
      {{"simulate", "scene.toml", "--attribs", "stres"}, "did you mean 'stress'?"},
      {{"simulate", "scene.toml", "--out", "file/a.$F.geo"}, "'file'"},
      {{"simulate", "scene.toml", "--out", "file/deep/a.$F.geo"}, "'file/deep'"},
      {{"simulate", "scene.toml", "--out", "/proc/dashpot/a.$F.geo"}, "'/proc/dashpot'"},
      {{"simulate", "scene.toml", "--out", "/proc/a.$F.geo"}, "/proc"},
      {{"simulate", "scene.toml", "--stats", "file/stats.jsonl"}, "file/stats.jsonl"},
      {{"info", "none.msh"}, "none.msh"},
      {{"info", "file"}, "file"},
      {{"info", "broken.mesh"}, "broken.mesh"},
      {{"params", "--json", "--markdown"}, "--json"},
      {{"render", "none", "--frame", "1"}, "'none' holds no run"},
      {{"render", "none"}, "--frame"},
  };
  for (const BadCommand& bad : cases) {
    SCOPED_TRACE(::testing::PrintToString(bad.arguments));
    const ProcessResult result = run(bad.arguments);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(bad.culprit));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }
}

}  // namespace
}  // namespace dashpot
