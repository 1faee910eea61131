// What a run writes, and what is left when writing fails.

#include <gmock/gmock.h>

#include <sys/resource.h>
#include <csignal>
#include <fstream>
#include <sstream>

#include "solver/elements/element_diagnostics.h"
#include "standalone/geometry/geometry_reader.h"
#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

constexpr const char* kTwoFrames = R"(
[simulation]
frames = [1, 4]
[[body]]
name = "block"
geometry = { type = "box", cells = 3 }
pin = { box = [[-1, -0.51, -1], [1, -0.49, 1]] }
[[body]]
name = "ball"
geometry = { type = "sphere", radius = 0.3, cells = 4 }
)";

class Frames : public DashpotTest {
 protected:
  Frames() { write("scene.toml", kTwoFrames); }

  Geometry frame(const std::string& name) const { return read_geometry(folder_ / name); }
};

TEST_F(Frames, AreTheSameGeometryInEveryForm) {
  for (const char* extension : {"geo", "bgeo", "bgeo.sc", "bgeo.gz"}) {
    const std::string out = std::string("a/f.$F.") + extension;
    const ProcessResult result = run({"simulate", "scene.toml", "--out", out});
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
  EXPECT_EQ(read("a/f.4.geo").substr(0, 1), "[");
  EXPECT_EQ(read("a/f.4.bgeo").substr(0, 5), "\x7fNSJb");
  EXPECT_EQ(read("a/f.4.bgeo.sc").substr(0, 4), "scf1");
  EXPECT_EQ(read("a/f.4.bgeo.gz").substr(0, 2), "\x1f\x8b");
  const Points expected = positions(frame("a/f.4.bgeo"));
  for (const char* name : {"a/f.4.geo", "a/f.4.bgeo.sc", "a/f.4.bgeo.gz"}) {
    const Geometry geometry = frame(name);
    EXPECT_EQ(positions(geometry), expected) << name;
    EXPECT_NE(find_attribute(geometry, ElementClass::kPoint, "v"), nullptr);
    EXPECT_EQ(tets(geometry).tets, tets(frame("a/f.4.bgeo")).tets);
  }
}

TEST_F(Frames, HaveTheAttributesThatWereAskedFor) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo", "--attribs",
                 "quality,stress,quality", "--attribs", "energy"})
                .exit_code,
            0);
  const Geometry geometry = frame("a/f.4.bgeo");
  constexpr ElementClass kPrim = ElementClass::kPrimitive;
  EXPECT_EQ(find_attribute(geometry, kPrim, "strain"), nullptr);
  for (const char* token : {"quality", "stress", "energy"})
    ASSERT_NE(find_attribute(geometry, kPrim, token), nullptr) << token;
  double energy = 0;
  const NumericData& energies = find_attribute(geometry, kPrim, "energy")->data;
  for (std::size_t i = 0; i < energies.value_count(); ++i) energy += energies.number(i);
  EXPECT_NEAR(energy, stats("a/stats.jsonl")[3]["elastic"].get<double>(), 1e-5 * energy);
  EXPECT_GT(find_attribute(geometry, kPrim, "quality")->data.number(0), 0.3);
}

TEST_F(Frames, OfAHoudiniFileKeepItsGroupsAndCanBeSimulatedAgain) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo.sc"}).exit_code, 0);
  write("again.toml",
        "[simulation]\nframes = [1, 3]\n[[body]]\nname = \"both\"\n"
        "geometry = \"a/f.4.bgeo.sc\"\n");
  const ProcessResult result = run({"simulate", "again.toml", "--out", "b/f.$F.bgeo.sc"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Geometry before = frame("a/f.4.bgeo.sc"), after = frame("b/f.3.bgeo.sc");
  EXPECT_EQ(after.attributes.size(), before.attributes.size());
  EXPECT_EQ(string_of(*find_attribute(after, ElementClass::kPrimitive, "name"), 0), "block");
  EXPECT_EQ(frame("b/f.1.bgeo.sc").point_count, before.point_count);
  EXPECT_EQ(positions(frame("b/f.1.bgeo.sc")), positions(before));
}

TEST_F(Frames, TheManifestCountsInTheFrameFile) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo.sc"}).exit_code, 0);
  const auto bodies = nlohmann::json::parse(read("a/run.json"))["bodies"];
  const Geometry geometry = frame("a/f.1.bgeo.sc");
  EXPECT_EQ(bodies[1]["point_offset"].get<int>() + bodies[1]["points"].get<int>(),
            geometry.point_count);
  EXPECT_EQ(bodies[1]["tet_offset"].get<int>() + bodies[1]["tets"].get<int>(),
            geometry.primitive_count);
}

TEST_F(Frames, AFullDiskEndsTheRunWithWholeFramesOnly) {
  // The first frame fits, the checkpoint or a later frame does not; the limit stands for the disk.
  write("big.toml",
        "[simulation]\nframes = [1, 6]\n[[body]]\nname = \"a\"\n"
        "geometry = { type = \"box\", cells = 6 }\n");
  ASSERT_EQ(run({"simulate", "big.toml", "--out", "whole/f.$F.bgeo"}).exit_code, 0);
  const auto frame_bytes = read("whole/f.1.bgeo").size();
  ASSERT_GT(read("whole/checkpoint.bin").size(), frame_bytes);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlimit small{frame_bytes + 100, old.rlim_max};
  ::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &small);
  const pid_t process =
      start({"simulate", "big.toml", "--out", "full/f.$F.bgeo", "--checkpoint-every", "2"});
  ::setrlimit(RLIMIT_FSIZE, &old);
  ::signal(SIGXFSZ, SIG_DFL);
  const ProcessResult result = wait(process);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("full/checkpoint.bin"));
  EXPECT_THAT(result.err, HasSubstr("File too large"));
  EXPECT_EQ(line_count(result.err), 1) << result.err;
  EXPECT_EQ(stats("full/stats.jsonl").size(), 3u) << "every frame up to the failure";
  for (const char* name : {"f.1.bgeo", "f.2.bgeo", "f.3.bgeo"})
    EXPECT_TRUE(read(std::string("full/") + name) == read(std::string("whole/") + name)) << name;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "full"))
    EXPECT_THAT(entry.path().filename().string(), Not(HasSubstr("tmp")));
}

TEST_F(Frames, AFullDiskUnderTheStatsIsNamed) {
  const ProcessResult result = run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo.sc", "--stats",
                                    "/dev/full", "--set", "simulation.substeps=4"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("'/dev/full'"));
  EXPECT_EQ(line_count(result.err), 1) << result.err;
  EXPECT_TRUE(exists("a/f.1.bgeo.sc")) << "a frame comes before its line";
}

TEST_F(Frames, AFrameThatCannotBeWrittenEndsTheRun) {
  std::filesystem::create_directories(folder_ / "a" / "f.3.bgeo.sc");
  const ProcessResult result = run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo.sc"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("a/f.3.bgeo.sc"));
  EXPECT_EQ(stats("a/stats.jsonl").size(), 2u);
  EXPECT_FALSE(exists("a/f.4.bgeo.sc"));
  EXPECT_FALSE(exists("a/checkpoint.bin"));
}

TEST_F(Frames, OfASimulationThatBreaksDownAreAllOnDisk) {
  // Free fall that leaves the numbers of single precision.
  const ProcessResult result =
      run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo.sc", "--frames", "1-8", "--set",
           "simulation.gravity=[0,-1e40,0]", "--set", "simulation.iterations=1", "--set",
           "body.ball.selfcontact=false"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("frame 2"));
  EXPECT_EQ(stats("a/stats.jsonl").size(), 1u);
  EXPECT_TRUE(exists("a/f.1.bgeo.sc"));
  EXPECT_FALSE(exists("a/f.2.bgeo.sc"));
}

TEST_F(Frames, WithAWarningEndTheRunIfTheSceneSaysSo) {
  const auto simulate = [&](const std::string& folder, const std::string& stop) {
    return run({"simulate", "scene.toml", "--out", folder + "/f.$F.bgeo.sc", "--frames", "1-3",
                "--set", "simulation.iterations=1", "--set", "simulation.tolerance=1e-9", "--set",
                "simulation.stopatwarnings=" + stop});
  };
  EXPECT_EQ(simulate("a", "false").exit_code, 0);
  EXPECT_TRUE(exists("a/f.3.bgeo.sc"));
  const ProcessResult stopped = simulate("b", "true");
  EXPECT_EQ(stopped.exit_code, 3) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("frame 2: stopped by stopatwarnings: the 1 iteration"));
  EXPECT_TRUE(exists("b/f.1.bgeo.sc"));
  EXPECT_FALSE(exists("b/f.2.bgeo.sc"));
}

TEST(Attribs, ThePageAboutScenesHasThemAll) {
  std::ostringstream page;
  page << std::ifstream(DASHPOT_SOURCE_DIR "/docs/scene.md").rdbuf();
  for (const ElementDiagnostic& diagnostic : element_diagnostics())
    EXPECT_THAT(page.str(), HasSubstr(std::string("| `") + diagnostic.token + "` | " +
                                      diagnostic.unit + " | " + diagnostic.help + " |"));
}

TEST_F(Frames, EveryLineHasTheTimeThatItsFrameTook) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "a/f.$F.geo"}).exit_code, 0);
  for (const auto& line : stats("a/stats.jsonl")) EXPECT_GT(line["ms"]["io"].get<double>(), 0);
}

TEST_F(Frames, OfSeveralBodiesAreRendered) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "a/f.$F.bgeo.gz"}).exit_code, 0);
  const ProcessResult result = run({"render", "a", "--frame", "4", "-o", "still.png", "--width",
                                    "32", "--height", "32", "--samples", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read("still.png"), HasSubstr("PNG"));
}

}  // namespace
}  // namespace dashpot
