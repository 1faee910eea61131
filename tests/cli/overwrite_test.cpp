// Commands never write over what they read, and never write what a name does not say.

#include <gmock/gmock.h>

#include "standalone/geometry/geometry_writer.h"
#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Geometry one_tet() {
  Points points(3, 4);
  points << 0, 1, 0, 0,  //
      0, 0, 1, 0,        //
      0, 0, 0, 1;
  Geometry geometry = make_tet_geometry(points, {{0, 1, 3, 2}});
  set_group(geometry, Group::Class::kPoint, "pins", {0});
  return geometry;
}

// A scene whose every kind of input lies in the folder.
class Overwrite : public DashpotTest {
 protected:
  Overwrite() {
    write("scene.toml", R"([simulation]
frames = [1, 3]
[[body]]
name = "tet"
geometry = "g.0002.geo"
targets = "t.$F4.geo"
pin = { group = "pins" }
[[collider]]
vdb = "c.$F4.vdb"
)");
    write_geometry(folder_ / "g.0002.geo", one_tet());
    for (const char* name : {"t.0001.geo", "t.0002.geo", "t.0003.geo", "t.0004.geo", "t.0009.geo"})
      write_geometry(folder_ / name, one_tet());
    EXPECT_EQ(run({"make-collider", "sphere", "--translate", "0", "-9", "0", "-o", "c.0001.vdb"})
                  .exit_code,
              0);
    for (const char* name : {"c.0002.vdb", "c.0003.vdb"})
      fs::copy_file(folder_ / "c.0001.vdb", folder_ / name);
  }

  std::map<std::string, std::string> all_files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = fs::relative(entry.path(), folder_).string();
      if (name != "stdout.txt" && name != "stderr.txt")
        files[name] = entry.is_regular_file() ? read(name) : "";
    }
    return files;
  }

  void expect_refused(const std::vector<std::string>& arguments, const std::string& part) const {
    const auto before = all_files();
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << ::testing::PrintToString(arguments) << result.out;
    EXPECT_THAT(result.err, HasSubstr(part));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
    EXPECT_TRUE(all_files() == before) << ::testing::PrintToString(arguments);
  }
};

TEST_F(Overwrite, OfWhatASceneReadsIsRefused) {
  fs::create_directory(folder_ / "o");
  fs::create_symlink("../t.0002.geo", folder_ / "o/soft.0002.geo");
  fs::create_hard_link(folder_ / "t.0002.geo", folder_ / "o/hard.0002.geo");
  fs::create_symlink(".", folder_ / "again");
  for (const char* out : {"g.$F4.geo", "t.$F4.geo", "./o/../t.$F4.geo", "again/t.$F4.geo",
                          "o/soft.$F4.geo", "o/hard.$F4.geo"})
    expect_refused({"simulate", "scene.toml", "--out", out}, "would overwrite what is read");
}

TEST_F(Overwrite, OfTheRestOfASequenceIsRefused) {
  // Frame 4 is not read by a scene of three frames, but it is of the same animation.
  fs::create_directory(folder_ / "o");
  fs::create_hard_link(folder_ / "t.0004.geo", folder_ / "o/x.0004.geo");
  expect_refused({"simulate", "scene.toml", "--out", "o/x.$F4.geo", "--frames", "1-4"},
                 "t.0004.geo");
  EXPECT_EQ(run({"simulate", "scene.toml", "--out", "o/x.$F4.geo"}).exit_code, 0)
      << "frames up to 3 do no harm";
}

TEST_F(Overwrite, OfAnInputByTheStatisticsIsRefused) {
  expect_refused({"simulate", "scene.toml", "--stats", "scene.toml"}, ".jsonl");
  fs::rename(folder_ / "scene.toml", folder_ / "scene.jsonl");
  expect_refused({"simulate", "scene.jsonl", "--stats", "scene.jsonl"},
                 "would overwrite what is read");
  fs::create_hard_link(folder_ / "c.0002.vdb", folder_ / "s.jsonl");
  expect_refused({"simulate", "scene.jsonl", "--stats", "s.jsonl"}, "c.0002.vdb");
}

TEST_F(Overwrite, OfOneOutputByAnotherIsRefused) {
  fs::create_directory(folder_ / "o");
  fs::create_symlink("x.0002.bgeo", folder_ / "o/link.jsonl");
  for (const char* stats : {"o/run.json", "o/../o/run.json", "o/link.jsonl"})
    expect_refused({"simulate", "scene.toml", "--out", "o/x.$F4.bgeo", "--stats", stats},
                   "the run writes another file of this name");
  expect_refused({"simulate", "scene.toml", "--out", "o/x.$F4.bgeo", "--stats", "o/x.0002.bgeo"},
                 ".jsonl");
}

TEST_F(Overwrite, OfASceneThatIsCalledAsARunsRecordIsRefused) {
  fs::copy_file(folder_ / "scene.toml", folder_ / "run.json");
  expect_refused({"simulate", "run.json", "--out", "x.$F4.bgeo"}, "run.json");
  fs::copy_file(folder_ / "scene.toml", folder_ / "wedge.json");
  expect_refused({"wedge", "wedge.json", "--vary", "simulation.substeps=1,2", "--out", "."},
                 "wedge.json");
}

TEST_F(Overwrite, ByConvertIsRefusedThroughLinks) {
  fs::create_hard_link(folder_ / "g.0002.geo", folder_ / "hard.bgeo");
  expect_refused({"convert", "g.0002.geo", "hard.bgeo"}, "would overwrite what is read");
}

TEST_F(Overwrite, DoesNotHinderARunBesideItsInputs) {
  const auto before = all_files();
  const ProcessResult result =
      run({"simulate", "scene.toml", "--out", "f.$F4.bgeo.sc", "--stats", "s.jsonl"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const auto& [name, bytes] : before) EXPECT_TRUE(read(name) == bytes) << name;
  EXPECT_EQ(
      run({"simulate", "scene.toml", "--out", "f.$F4.bgeo.sc", "--stats", "s.jsonl"}).exit_code, 0)
      << "its own frames it may replace";
}

TEST_F(Overwrite, OfARunByItsPicturesIsRefused) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "o/f.$F4.bgeo.sc"}).exit_code, 0);
  fs::create_hard_link(folder_ / "o/f.0002.bgeo.sc", folder_ / "o/still.png");
  fs::create_symlink("stats.jsonl", folder_ / "o/report.html");
  expect_refused({"render", "o", "--frame", "2", "-o", "o/still.png"},
                 "would overwrite what is read");
  expect_refused({"report", "o", "-o", "o/report.html"}, "would overwrite what is read");
}

TEST_F(Overwrite, NamesDecideTheFormatOrAreRefused) {
  ASSERT_EQ(run({"simulate", "scene.toml", "--out", "o/f.$F4.bgeo.sc"}).exit_code, 0);
  for (const char* name : {"x.jpg", "x", "x.png.exr", "x.$F4.tif", "x.webm"})
    expect_refused({"render", "o", "--frame", "3", "-o", name}, ".png, .mp4 or .gif");
  expect_refused({"render", "o", "--sheet", "-o", "x.jpg"}, ".png, .mp4 or .gif");
  for (const char* name : {"x.png", "x.pdf", "x"})
    expect_refused({"report", "o", "-o", name}, ".html");
  for (const char* name : {"c.png", "c", "c.vdb.gz"}) {
    expect_refused({"make-collider", "sphere", "-o", name}, ".vdb");
    expect_refused({"make-terrain", "-o", name}, ".vdb");
  }
  expect_refused({"bench", "--only", "sizes", "--plot", "x.png"}, ".svg");
  for (const char* name : {"x.$F4.obj", "x.$F4", "x.$F4.bgeo.zip"})
    expect_refused({"simulate", "scene.toml", "--out", name}, ".bgeo.sc");
}

TEST_F(Overwrite, EmptyNamesAreNotTheDefault) {
  expect_refused({"simulate", "scene.toml", "--out", ""}, "--out is empty");
  expect_refused({"simulate", "scene.toml", "--stats", ""}, "--stats is empty");
  expect_refused({"simulate", ""}, "scene is empty");
  expect_refused({"simulate", "scene.toml", "--out", "$F4/x.bgeo"}, "$F in the name of a folder");
}

}  // namespace
}  // namespace dashpot
