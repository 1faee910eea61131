#include <gmock/gmock.h>

#include <csignal>

#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

// Two bodies, one shaken by its pins: about ten milliseconds per frame.
constexpr const char* kScene = R"(
[simulation]
frames = [1, 12]
fps = 24
[[body]]
name = "tower"
geometry = { type = "box", size = [0.3, 1, 0.3], cells = [4, 12, 4] }
youngsmodulus = 3e4
pin = { box = [[-1, -0.51, -1], [1, -0.49, 1]], motion = { amplitude = [0.1, 0, 0], frequency = 3 } }
[[body]]
name = "ball"
geometry = { type = "sphere", radius = 0.3, cells = 6 }
translate = [1, 0, 0]
material = "corotated"
velocity = [0, 2, 0]
)";

std::string frame_name(const std::string& directory, int frame) {
  return directory + "/f." + std::to_string(frame) + ".bgeo.sc";
}

class Simulate : public DashpotTest {
 protected:
  Simulate() { write("scene.toml", kScene); }

  std::vector<std::string> command(const std::string& directory,
                                   const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"simulate", "scene.toml", "--out",
                                      directory + "/f.$F.bgeo.sc"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  std::vector<std::string> hashes(const std::string& directory) const {
    std::vector<std::string> result;
    for (const auto& line : stats(directory + "/stats.jsonl")) result.push_back(line["hash"]);
    return result;
  }

  void expect_same_run(const std::string& a, const std::string& b, int last) const {
    EXPECT_EQ(hashes(a), hashes(b));
    EXPECT_EQ(hashes(a).size(), static_cast<std::size_t>(last));
    for (int frame = 1; frame <= last; ++frame)
      EXPECT_TRUE(read(frame_name(a, frame)) == read(frame_name(b, frame))) << "frame " << frame;
  }
};

TEST_F(Simulate, WritesFramesStatsAndManifest) {
  const ProcessResult result = run({"simulate", "scene.toml"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* name : {"out/scene/scene.0001.bgeo.sc", "out/scene/scene.0012.bgeo.sc",
                           "out/scene/stats.jsonl", "out/scene/run.json"})
    EXPECT_TRUE(exists(name)) << name;
  EXPECT_FALSE(exists("out/scene/scene.0013.bgeo.sc"));
  EXPECT_THAT(result.out, HasSubstr("out/scene/scene.$F4.bgeo.sc, 1 to 12"));
  EXPECT_THAT(result.out, HasSubstr("out/scene/stats.jsonl"));

  const auto manifest = nlohmann::json::parse(read("out/scene/run.json"));
  EXPECT_EQ(manifest["frames"], "scene.$F4.bgeo.sc");
  EXPECT_EQ(manifest["stats"], "stats.jsonl");
  EXPECT_EQ(manifest["last_frame"], 12);
  EXPECT_EQ(manifest["simulation"]["integrator"], "trbdf2");
  ASSERT_EQ(manifest["bodies"].size(), 2u);
  EXPECT_EQ(manifest["bodies"][1]["name"], "ball");
  EXPECT_EQ(manifest["bodies"][1]["point_offset"], manifest["bodies"][0]["points"]);
  EXPECT_EQ(manifest["bodies"][1]["parameters"]["material"], "corotated");
}

TEST_F(Simulate, StatsHaveEveryKeyForEveryFrame) {
  ASSERT_EQ(run(command("a")).exit_code, 0);
  const auto lines = stats("a/stats.jsonl");
  ASSERT_EQ(lines.size(), 12u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const nlohmann::json& line = lines[i];
    EXPECT_EQ(line["frame"], static_cast<int>(i) + 1);
    EXPECT_NEAR(line["time"].get<double>(), static_cast<double>(i) / 24, 1e-12);
    for (const char* key : {"kinetic", "elastic", "gravitational", "total", "dissipated", "work",
                            "lost", "iterations", "primal_residual", "dual_residual", "contacts",
                            "inverted", "max_stretch", "min_stretch"})
      EXPECT_TRUE(line.contains(key) && line[key].is_number()) << key;
    for (const char* key : {"linear_momentum", "angular_momentum", "center_of_mass"})
      EXPECT_EQ(line[key].size(), 3u) << key;
    for (const char* key : {"total", "local", "global", "contact", "io"})
      EXPECT_TRUE(line["ms"][key].is_number()) << key;
    for (const char* key : {"kinetic", "elastic", "gravitational", "total", "inverted",
                            "max_stretch", "min_stretch"}) {
      EXPECT_TRUE(line["bodies"]["tower"][key].is_number()) << key;
      EXPECT_TRUE(line["bodies"]["ball"][key].is_number()) << key;
    }
    EXPECT_EQ(line["bounds"].size(), 2u);
    EXPECT_TRUE(line["status"].is_array());
    EXPECT_EQ(line["hash"].get<std::string>().size(), 16u);
  }
  EXPECT_EQ(lines[0]["iterations"], 0);
  EXPECT_GT(lines[1]["iterations"], 0);
}

TEST_F(Simulate, TheNumberOfThreadsDoesNotMatter) {
  for (const char* threads : {"1", "2", "4"})
    ASSERT_EQ(run(command(threads, {"--threads", threads})).exit_code, 0);
  expect_same_run("1", "2", 12);
  expect_same_run("1", "4", 12);
}

TEST_F(Simulate, AKilledRunThatIsResumedEqualsAnUndisturbedOne) {
  ASSERT_EQ(run(command("whole", {"--frames", "1-40"})).exit_code, 0);
  const auto killed = command("killed", {"--frames", "1-40", "--checkpoint-every", "4"});
  const pid_t process = start(killed);
  ASSERT_TRUE(wait_for_file(frame_name("killed", 10)));
  ::kill(process, SIGKILL);
  ASSERT_EQ(wait(process).exit_code, 128 + SIGKILL);
  ASSERT_FALSE(exists(frame_name("killed", 40))) << "the run ended before it could be killed";

  std::vector<std::string> resumed = killed;
  resumed.emplace_back("--resume");
  const ProcessResult result = run(resumed);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  expect_same_run("whole", "killed", 40);
}

TEST_F(Simulate, AnInterruptedRunWritesACheckpointAndCanBeResumed) {
  ASSERT_EQ(run(command("whole", {"--frames", "1-40"})).exit_code, 0);
  const auto stopped = command("stopped", {"--frames", "1-40", "--checkpoint-every", "0"});
  const pid_t process = start(stopped);
  ASSERT_TRUE(wait_for_file(frame_name("stopped", 5)));
  ::kill(process, SIGINT);
  const ProcessResult interrupted = wait(process);
  EXPECT_EQ(interrupted.exit_code, 130) << interrupted.err;
  EXPECT_THAT(interrupted.err, HasSubstr("--resume"));
  EXPECT_TRUE(exists("stopped/checkpoint.bin"));
  EXPECT_LT(hashes("stopped").size(), 40u);

  std::vector<std::string> resumed = stopped;
  resumed.emplace_back("--resume");
  ASSERT_EQ(run(resumed).exit_code, 0);
  expect_same_run("whole", "stopped", 40);
}

TEST_F(Simulate, ACheckpointWithSubstepsIsThatOfAWholeFrame) {
  const std::vector<std::string> more = {
      "--frames", "1-20", "--set", "simulation.substeps=4", "--checkpoint-every", "0"};
  ASSERT_EQ(run(command("whole", more)).exit_code, 0);
  const pid_t process = start(command("stopped", more));
  ASSERT_TRUE(wait_for_file(frame_name("stopped", 3)));
  ::kill(process, SIGTERM);
  EXPECT_EQ(wait(process).exit_code, 130);
  std::vector<std::string> resumed = command("stopped", more);
  resumed.emplace_back("--resume");
  ASSERT_EQ(run(resumed).exit_code, 0);
  expect_same_run("whole", "stopped", 20);
}

TEST_F(Simulate, AFinishedRunCanBeExtended) {
  ASSERT_EQ(run(command("whole", {"--frames", "1-15"})).exit_code, 0);
  ASSERT_EQ(run(command("longer", {"--frames", "1-7"})).exit_code, 0);
  ASSERT_EQ(run(command("longer", {"--frames", "8-15", "--resume"})).exit_code, 0);
  expect_same_run("whole", "longer", 15);
}

TEST_F(Simulate, ResumeWithoutACheckpointStartsAtTheBeginning) {
  ASSERT_EQ(run(command("a")).exit_code, 0);
  ASSERT_EQ(run(command("b", {"--resume"})).exit_code, 0);
  expect_same_run("a", "b", 12);
}

TEST_F(Simulate, ACheckpointOfAnotherSceneIsRefused) {
  ASSERT_EQ(run(command("a")).exit_code, 0);
  for (const char* change : {"body.tower.youngsmodulus=2e4", "body.ball.velocity=[0,1,0]",
                             "simulation.gravity=[0,-1,0]", "simulation.fps=25"}) {
    const ProcessResult result = run(command("a", {"--resume", "--set", change}));
    EXPECT_EQ(result.exit_code, 2) << change;
    EXPECT_THAT(result.err, HasSubstr("another scene or other parameters"));
    EXPECT_EQ(line_count(result.err), 1);
  }
}

TEST_F(Simulate, ADamagedCheckpointIsRefused) {
  ASSERT_EQ(run(command("a")).exit_code, 0);
  const std::string whole = read("a/checkpoint.bin");
  std::string changed = whole;
  changed[changed.size() / 2] ^= 1;
  for (const std::string& bytes :
       {std::string(), whole.substr(0, 20), whole.substr(0, whole.size() - 1), changed}) {
    write("a/checkpoint.bin", bytes);
    const ProcessResult result = run(command("a", {"--resume"}));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("a/checkpoint.bin"));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
  }
}

TEST_F(Simulate, ProgressForTractorIsPrintedInPercent) {
  const ProcessResult result = run(command("a", {"--progress", "alf"}));
  EXPECT_THAT(result.out, HasSubstr("ALF_PROGRESS 0%\n"));
  EXPECT_THAT(result.out, HasSubstr("ALF_PROGRESS 100%\n"));
}

TEST_F(Simulate, ProgressForDeadlineIsPrintedInItsWords) {
  const ProcessResult result = run(command("a", {"--progress", "deadline"}));
  EXPECT_THAT(result.out, HasSubstr("Progress: 0%\n"));
  EXPECT_THAT(result.out, HasSubstr("Progress: 100%\n"));
}

TEST_F(Simulate, NoProgressMeansTheSummaryOnly) {
  const ProcessResult result = run(command("a", {"--progress", "none"}));
  EXPECT_THAT(result.out, ::testing::StartsWith("frames   a/f.$F.bgeo.sc"));
}

TEST_F(Simulate, AWarningIsGivenOnceWithTheFramesInTheSummary) {
  const ProcessResult result =
      run(command("a", {"--set", "simulation.iterations=1", "--set", "simulation.tolerance=1e-9"}));
  ASSERT_EQ(result.exit_code, 0);
  const std::string warning = "the 1 iteration of a stage ";
  EXPECT_THAT(result.err, HasSubstr("frame 2: " + warning));
  EXPECT_EQ(result.err.rfind(warning), result.err.find(warning)) << result.err;
  EXPECT_THAT(result.out, HasSubstr("warning  frames 2-12, at worst: " + warning));
  EXPECT_THAT(result.out, HasSubstr("set iterations = 60, as by default."));
  EXPECT_EQ(stats("a/stats.jsonl")[3]["status"][0], "budgetexhausted");
}

}  // namespace
}  // namespace dashpot
