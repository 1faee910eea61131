#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "standalone/cli/frame_pattern.h"
#include "standalone/cli/frame_warnings.h"
#include "standalone/render/png.h"
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
  EXPECT_THAT(run({"info", "scene.toml"}).out,
              HasSubstr("jelly: box, 27 points, 48 tets, 1 x 1 x 1 m"));
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

// A run of so many frames in out/scene.
class RunTest : public DashpotTest {
 protected:
  void simulate(int frames, const std::vector<std::string>& extra = {}) {
    write("scene.toml", "[simulation]\nframes = [1, " + std::to_string(frames) +
                            "]\n[[body]]\nname = \"ball\"\n"
                            "geometry = { type = \"sphere\", cells = 4 }\n");
    std::vector<std::string> words = {"simulate", "scene.toml"};
    words.insert(words.end(), extra.begin(), extra.end());
    ASSERT_EQ(run(words).exit_code, 0);
  }

  // dashpot render out/scene … with small pictures.
  ProcessResult render(std::vector<std::string> words) {
    words.insert(words.begin(), "render");
    for (const char* word : {"--width", "48", "--height", "32", "--samples", "1"})
      words.emplace_back(word);
    return run(words);
  }

  Image picture(const std::string& name) const { return read_png((folder_ / name).string()); }
};

TEST_F(RunTest, RenderMakesASequence) {
  simulate(5);
  const ProcessResult result = render({"out/scene", "-o", "f.%03d.png", "--frames", "1-5x2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"f.001.png", "f.003.png", "f.005.png"}) EXPECT_TRUE(exists(name));
  EXPECT_FALSE(exists("f.002.png"));
  EXPECT_NE(picture("f.001.png").rgb, picture("f.005.png").rgb);
}

TEST_F(RunTest, TheCameraIsTheSameForAPartOfTheRun) {
  simulate(5);
  ASSERT_EQ(render({"out/scene", "-o", "all.%d.png"}).exit_code, 0);
  ASSERT_EQ(render({"out/scene", "--frame", "4", "-o", "one.png"}).exit_code, 0);
  EXPECT_EQ(picture("all.4.png").rgb, picture("one.png").rgb);
}

TEST_F(RunTest, RenderShowsRunsSideBySide) {
  simulate(3);
  simulate(3, {"--out", "out/b/b.$F.bgeo", "--set", "simulation.gravity=[0, 9.81, 0]"});
  ASSERT_EQ(render({"out/scene", "out/b", "--frame", "3", "-o", "pair.png", "--shade", "speed"})
                .exit_code,
            0);
  EXPECT_EQ(picture("pair.png").width, 2 * 48 + 4);
  EXPECT_EQ(picture("pair.png").height, 32);
}

TEST_F(RunTest, RenderMakesAContactSheet) {
  simulate(9);
  ASSERT_EQ(render({"out/scene", "--sheet=6", "-o", "sheet.png"}).exit_code, 0);
  EXPECT_EQ(picture("sheet.png").width, 3 * 48 + 4 * 6);
  EXPECT_EQ(picture("sheet.png").height, 2 * 32 + 3 * 6);
  ASSERT_EQ(render({"out/scene", "--sheet", "-o", "all.png"}).exit_code, 0);
  EXPECT_EQ(picture("all.png").height, 3 * 32 + 4 * 6);
}

TEST_F(RunTest, RenderMakesAMovie) {
  if (std::system("ffmpeg -version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "ffmpeg is not installed; ./test installs it";
  simulate(3);
  ASSERT_EQ(render({"out/scene", "-o", "movie.mp4"}).exit_code, 0);
  EXPECT_THAT(read("movie.mp4"), HasSubstr("ftyp"));
}

TEST_F(RunTest, RenderSaysWhatItCannotDo) {
  simulate(2);
  const auto refused = [&](const std::vector<std::string>& words) {
    const ProcessResult result = render(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(line_count(result.err), 1) << result.err;
    return result.err;
  };
  EXPECT_THAT(refused({"out/scene"}), HasSubstr("say which --frame"));
  EXPECT_THAT(refused({"out/scene", "--frames", "7-9", "-o", "f.%d.png"}), HasSubstr("1 to 2"));
  EXPECT_THAT(refused({"out/scene", "-o", "f.%s.png"}), HasSubstr("%04d"));
  EXPECT_THAT(refused({"out/scene", "--frame", "1", "--shade", "colour"}),
              HasSubstr("stretch, speed"));
  EXPECT_THAT(refused({"out/scene", "--frame", "1", "--shade", "dissipation"}),
              HasSubstr("--attribs dissipation"));
  EXPECT_THAT(refused({"out/scene", "--frame", "1", "--camera", "1,2"}), HasSubstr("eye:target"));
  EXPECT_THAT(refused({"out/scene", "--frame", "1", "--ground", "low"}), HasSubstr("height"));
  EXPECT_THAT(refused({"out/scene", "--sheet", "-o", "m.mp4"}), HasSubstr("sheet.png"));
  EXPECT_THAT(refused({"out", "--frame", "1"}), HasSubstr("holds no run"));
}

TEST_F(RunTest, AGivenCameraSeesWhatItLooksAt) {
  simulate(1);
  ASSERT_EQ(render({"out/scene", "--frame", "1", "-o", "at.png", "--camera", "0,0,4:0,0,0:40",
                    "--ground", "none"})
                .exit_code,
            0);
  ASSERT_EQ(render({"out/scene", "--frame", "1", "-o", "away.png", "--camera", "0,0,4:0,0,8",
                    "--ground", "none"})
                .exit_code,
            0);
  const auto middle = [&](const std::string& name) {
    const Image image = picture(name);
    const std::size_t at = 3 * static_cast<std::size_t>(16 * 48 + 24);
    return image.rgb[at] - image.rgb[at + 2];  // red minus blue: the ball is apricot
  };
  EXPECT_GT(middle("at.png"), 60);
  EXPECT_LT(middle("away.png"), 20);
}

// A ball that falls past everything: nothing is below it.
TEST_F(RunTest, NoFloorIsInvented) {
  simulate(3);
  const auto lower_left = [&](const std::vector<std::string>& extra) {
    std::vector<std::string> words = {"out/scene", "--frame", "3", "-o", "floor.png"};
    words.insert(words.end(), extra.begin(), extra.end());
    EXPECT_EQ(render(words).exit_code, 0);
    const Image image = picture("floor.png");
    const std::size_t at = 3 * static_cast<std::size_t>(30 * 48 + 2);
    return image.rgb[at] - image.rgb[at + 2];  // red minus blue: floors are warm, the sky is cold
  };
  EXPECT_LT(lower_left({}), -3);
  EXPECT_LT(lower_left({"--ground", "none"}), -3);
  EXPECT_GT(lower_left({"--ground", "auto"}), 3);
  EXPECT_GT(lower_left({"--ground=-0.6"}), 3);
}

TEST_F(RunTest, TheRangeOfColoursCanBeSet) {
  simulate(4);
  const auto shaded = [&](const std::vector<std::string>& extra) {
    std::vector<std::string> words = {"out/scene", "--frame",     "4",       "-o",
                                      "shade.png", "--no-labels", "--shade", "speed"};
    words.insert(words.end(), extra.begin(), extra.end());
    const ProcessResult result = render(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return picture("shade.png").rgb;
  };
  // All points fall at 1.2 m/s.
  const auto bright = shaded({"--range", "0,0.5"}), dark = shaded({"--range", "2,3"});
  EXPECT_NE(bright, dark);
  EXPECT_EQ(shaded({"--range", "0,0.5"}), shaded({"--top", "0.5"}));
  for (const char* wrong : {"1", "1,", "2,1", "1,1", "a,b", "0,inf", "0,1,2"}) {
    const ProcessResult result =
        render({"out/scene", "--frame", "4", "--shade", "speed", "--range", wrong});
    EXPECT_EQ(result.exit_code, 2) << wrong;
    EXPECT_THAT(result.err, HasSubstr("the smaller one first")) << wrong;
  }
}

class WedgeViewTest : public RunTest {
 protected:
  void make_wedge() {
    simulate(2);
    ASSERT_EQ(run({"wedge", "scene.toml", "--vary", "body.ball.youngsmodulus=3e5,1e4,100000",
                   "--threads", "2"})
                  .exit_code,
              0);
  }
  std::string names_on_page() {
    const ProcessResult result = run({"report", "out/scene_wedge", "-o", "r.html"});
    if (result.err.find("built without its report page") != std::string::npos) return "no page";
    EXPECT_EQ(result.exit_code, 0) << result.err;
    said_ = result.err;
    std::string names;
    const std::string page = read("r.html"), mark = "{\"name\":\"youngsmodulus ";
    for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1))
      names +=
          page.substr(at + mark.size(), page.find('"', at + mark.size()) - at - mark.size()) + " ";
    return names;
  }
  std::string said_;
};

TEST_F(WedgeViewTest, RunsOfAWedgeComeInTheOrderOfTheirValues) {
  make_wedge();
  const std::string names = names_on_page();
  if (names == "no page") GTEST_SKIP() << "built without node; ./test installs it";
  EXPECT_EQ(names, "1e4 100000 3e5 ");
  EXPECT_EQ(said_, "");
  EXPECT_THAT(read("r.html"), HasSubstr("<title>scene_wedge: youngsmodulus</title>"));
  const ProcessResult still = render({"out/scene_wedge", "--frame", "2", "-o", "wedge.png"});
  EXPECT_EQ(still.exit_code, 0) << still.err;
  EXPECT_EQ(picture("wedge.png").width, 3 * 48 + 2 * 4);
}

TEST_F(WedgeViewTest, RunsThatAreNotThereAreNamed) {
  make_wedge();
  std::filesystem::remove_all(folder_ / "out/scene_wedge/ball.youngsmodulus-1e4");
  write("out/scene_wedge/ball.youngsmodulus-3e5/status.json",
        R"({"state": "failed", "message": "It burst."})");
  for (const char* frame : {"1", "2"})
    std::filesystem::remove(folder_ / "out/scene_wedge/ball.youngsmodulus-3e5" /
                            ("ball.youngsmodulus-3e5.000" + std::string(frame) + ".bgeo.sc"));
  const ProcessResult still = render({"out/scene_wedge", "--frame", "2", "-o", "wedge.png"});
  EXPECT_EQ(still.exit_code, 0) << still.err;
  EXPECT_THAT(still.err, HasSubstr("youngsmodulus 1e4 is left out: it has not started."));
  EXPECT_THAT(still.err, HasSubstr("youngsmodulus 3e5: it failed: It burst."));
  EXPECT_THAT(still.err, HasSubstr("youngsmodulus 3e5 is left out: "));
  EXPECT_EQ(picture("wedge.png").width, 48);
  const std::string names = names_on_page();
  if (names == "no page") return;
  EXPECT_EQ(names, "100000 3e5 ");
  EXPECT_THAT(said_, HasSubstr("youngsmodulus 1e4 is left out"));
  EXPECT_THAT(read("r.html"), HasSubstr("youngsmodulus 1e4 is left out"));

  // A status that is damaged says nothing; the run is shown all the same.
  write("out/scene_wedge/ball.youngsmodulus-3e5/status.json", R"({"state": 5, "message": [1]})");
  EXPECT_EQ(names_on_page(), "100000 3e5 ");
  EXPECT_EQ(said_.find("3e5: it"), std::string::npos) << said_;
}

TEST_F(WedgeViewTest, AWedgeThatDidNotStartHasNothingToShow) {
  simulate(1);
  ASSERT_EQ(
      run({"wedge", "scene.toml", "--vary", "simulation.substeps=1,2", "--plan-only"}).exit_code,
      0);
  const ProcessResult result = render({"out/scene_wedge", "--frame", "1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(line_count(result.err), 1) << result.err;
  EXPECT_THAT(result.err, HasSubstr("has no run to show yet"));
}

TEST_F(RunTest, ReportIsOnePageAndNamesWhatIsMissing) {
  simulate(4);
  ProcessResult result = run({"report", "out/scene", "-o", "r.html"});
  if (result.err.find("built without its report page") != std::string::npos)
    GTEST_SKIP() << "built without node; ./test installs it";
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(read("r.html"), HasSubstr("\"name\":\"ball\""));
  std::filesystem::remove(folder_ / "out/scene/scene.0002.bgeo.sc");
  result = run({"report", "out/scene", "-o", "r.html"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, HasSubstr("Frame 2 has no file"));
  EXPECT_EQ(run({"report", "nowhere"}).exit_code, 2);
}

}  // namespace
}  // namespace dashpot
