#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "standalone/cli/frame_pattern.h"
#include "standalone/cli/frame_warnings.h"
#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

TEST(FramePatternTest, PadsTheFrameNumber) {
  EXPECT_EQ(FramePattern("a/b.$F.geo").path(7), "a/b.7.geo");
  EXPECT_EQ(FramePattern("a/b.$F4.geo").path(7), "a/b.0007.geo");
  EXPECT_EQ(FramePattern("a/b.$F4.geo").path(12345), "a/b.12345.geo");
  EXPECT_EQ(FramePattern("b$F2.$F3.geo").path(7), "b07.007.geo");
  EXPECT_EQ(FramePattern("b.$F4.geo").directory(), ".");
}

TEST(FrameListTest, JoinsRuns) {
  EXPECT_EQ(frame_list({3}), "3");
  EXPECT_EQ(frame_list({1, 2, 3, 7, 9, 10}), "1-3, 7, 9-10");
}

TEST_F(DashpotTest, HelpAndVersionSucceed) {
  EXPECT_EQ(run({"--help"}).exit_code, 0);
  EXPECT_EQ(run({"simulate", "--help"}).exit_code, 0);
  EXPECT_EQ(run({"--version"}).exit_code, 0);
}

TEST_F(DashpotTest, InfoDescribesAMeshThatTheSolverRefuses) {
  write("mesh.node", "5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 1 1 1\n");
  write("mesh.ele", "2 4 0\n0 0 1 2 3\n1 2 1 3 4\n");
  const ProcessResult result = run({"info", "mesh.node", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json["points"], 5);
  EXPECT_EQ(json["tets"], 2);
  EXPECT_EQ(json["boundary_triangles"], 6);
  EXPECT_EQ(json["quality"]["valid"], false);
  EXPECT_EQ(json["quality"]["pieces"], 1);
  EXPECT_THAT(run({"info", "mesh.node"}).out, HasSubstr("tets     2"));
}

TEST_F(DashpotTest, InfoDescribesAScene) {
  write("scene.toml",
        "[simulation]\nframes = [1, 9]\n[[body]]\nname = \"jelly\"\n"
        "geometry = { type = \"box\", cells = 2 }\npin = { box = [[-1, -1, -1], [-0.4, 1, 1]] }\n");
  const auto json = nlohmann::json::parse(run({"info", "scene.toml", "--json"}).out);
  EXPECT_EQ(json["last_frame"], 9);
  EXPECT_EQ(json["bodies"][0]["name"], "jelly");
  EXPECT_EQ(json["bodies"][0]["points"], 27);
  EXPECT_EQ(json["bodies"][0]["pinned"], 9);
  EXPECT_THAT(run({"info", "scene.toml"}).out, HasSubstr("jelly: 27 points (9 pinned)"));
}

TEST_F(DashpotTest, ParamsListsEveryParameter) {
  const auto json = nlohmann::json::parse(run({"params", "--json"}).out);
  std::vector<std::string> tokens;
  for (const auto& entry : json) tokens.push_back(entry["token"]);
  EXPECT_THAT(tokens, ::testing::IsSupersetOf(
                          {"integrator", "gravity", "youngsmodulus", "pintoanimation"}));
  EXPECT_THAT(run({"params"}).out, HasSubstr("youngsmodulus"));
}

TEST_F(DashpotTest, TheReferencePageIsFresh) {
  std::ostringstream page;
  page << std::ifstream(DASHPOT_SOURCE_DIR "/docs/parameters.md").rdbuf();
  EXPECT_EQ(page.str(), run({"params", "--markdown"}).out)
      << "run: dashpot params --markdown > docs/parameters.md";
}

TEST_F(DashpotTest, RenderMakesAStillOfAFrame) {
  write("scene.toml",
        "[simulation]\nframes = [1, 3]\n[[body]]\nname = \"ball\"\n"
        "geometry = { type = \"sphere\", cells = 4 }\n");
  ASSERT_EQ(run({"simulate", "scene.toml"}).exit_code, 0);
  const ProcessResult result = run({"render", "out/scene", "--frame", "3", "-o", "still.png",
                                    "--width", "64", "--height", "48", "--samples", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read("still.png"), HasSubstr("PNG"));

  const ProcessResult missing = run({"render", "out/scene", "--frame", "4"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_THAT(missing.err, HasSubstr("frames 1 to 3"));
}

}  // namespace
}  // namespace dashpot
