#include <gmock/gmock.h>
#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <fstream>
#include <limits>

#include "standalone/geometry/geometry_reader.h"
#include "tests/cli/dashpot_process.h"

namespace dashpot {
namespace {

using ::testing::HasSubstr;

openvdb::FloatGrid::Ptr sphere(const std::string& name) {
  openvdb::initialize();
  auto grid =
      openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(0.5F, openvdb::Vec3f(0, 0, 0), 0.1F);
  grid->setName(name);
  return grid;
}

class ContactCommandTest : public DashpotTest {
 protected:
  void write_vdb(const std::string& name, const openvdb::GridBase::ConstPtr& grid) const {
    std::ofstream bytes(folder_ / name, std::ios::binary);
    openvdb::io::Stream(bytes).write(openvdb::GridCPtrVec{grid});
  }

  ProcessResult simulate(const std::string& collider) const {
    write("scene.toml",
          "[simulation]\nframes = [1, 4]\n[[body]]\nname = \"ball\"\n"
          "geometry = { type = \"sphere\", radius = 0.2, cells = 3 }\ntranslate = [0, 0.72, 0]\n"
          "youngsmodulus = 1e6\n[[collider]]\nname = \"stone\"\n" +
              collider + "\n");
    return run({"simulate", "scene.toml", "--progress", "none"});
  }

  void expect_refused(const ProcessResult& result, const std::string& culprit) const {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(culprit));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
    EXPECT_FALSE(exists("out"));
  }
};

TEST_F(ContactCommandTest, LevelSetsThatAreNoneAreRefusedByName) {
  auto fog = sphere("smoke");
  fog->setGridClass(openvdb::GRID_FOG_VOLUME);
  write_vdb("fog.vdb", fog);
  expect_refused(simulate("vdb = \"fog.vdb\""), "'smoke'");

  auto empty = openvdb::FloatGrid::create(0.3F);
  empty->setGridClass(openvdb::GRID_LEVEL_SET);
  empty->setName("nothing");
  write_vdb("empty.vdb", empty);
  expect_refused(simulate("vdb = \"empty.vdb\""), "'nothing'");

  auto broken = sphere("broken");
  broken->getAccessor().setValue({5, 0, 0}, std::numeric_limits<float>::quiet_NaN());
  write_vdb("broken.vdb", broken);
  expect_refused(simulate("vdb = \"broken.vdb\""), "'broken'");

  write_vdb("good.vdb", sphere("surface"));
  expect_refused(simulate("vdb = \"good.vdb\"\ngrid = \"other\""), "'surface'");
  expect_refused(simulate("vdb = \"none.vdb\""), "none.vdb");
  expect_refused(simulate("vdb = \"good.$F.vdb\""), "good.1.vdb");
  write("text.vdb", "no volume");
  expect_refused(simulate("vdb = \"text.vdb\""), "text.vdb");
}

TEST_F(ContactCommandTest, CollidersThatCannotBeAreRefused) {
  expect_refused(simulate("friction = 0.5"), "plane, vdb and shape");
  expect_refused(simulate("plane = { normal = [0, 0, 0] }"), "normal must not be zero");
  expect_refused(simulate("plane = {}\nfriction = -1"), "friction");
  expect_refused(simulate("plane = {}\nrestitution = 1.5"), "restitution");
  expect_refused(simulate("plane = {}\ntranslate = [0, 1, 0]"), "translate");
  expect_refused(simulate("plane = {}\nfrictoin = 1"), "did you mean 'friction'?");
  expect_refused(simulate("shape = { type = \"cone\" }"), "cone");
  expect_refused(simulate("plane = {}\nvelocity = [1, 0, 0]\nmotion = {}"), "motion");
}

// A sequence needs every frame of the scene.
TEST_F(ContactCommandTest, SequencesMustBeComplete) {
  for (const int frame : {1, 2, 4}) write_vdb("s." + std::to_string(frame) + ".vdb", sphere("s"));
  expect_refused(simulate("vdb = \"s.$F.vdb\""), "s.3.vdb");
  write_vdb("s.3.vdb", sphere("s"));
  EXPECT_EQ(simulate("vdb = \"s.$F.vdb\"").exit_code, 0);
}

TEST_F(ContactCommandTest, MadeCollidersAreCollidedWith) {
  ASSERT_EQ(
      run({"make-collider", "sphere", "--radius", "0.5", "--voxelsize", "0.05", "-o", "ball.vdb"})
          .exit_code,
      0);
  const ProcessResult made = simulate("vdb = \"ball.vdb\"\nfriction = 0.4");
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const auto lines = stats("out/scene/stats.jsonl");
  EXPECT_GT(lines.back()["contacts"], 0);
  EXPECT_LT(lines.back()["penetration"], 0.05 * 0.05);
  EXPECT_LE(lines.back()["friction_use"], 1 + 1e-9);

  const ProcessResult terrain = run({"make-terrain", "--voxelsize", "0.1", "-o", "hills.vdb"});
  EXPECT_EQ(terrain.exit_code, 0) << terrain.err;
  EXPECT_THAT(run({"info", "hills.vdb"}).out, HasSubstr("level set"));
  EXPECT_EQ(run({"make-collider", "cone", "-o", "cone.vdb"}).exit_code, 2);
  for (const char* place : {"nan", "1e30"})
    EXPECT_EQ(
        run({"make-collider", "box", "--translate", "0", place, "0", "-o", "b.vdb"}).exit_code, 2)
        << place;
  EXPECT_EQ(run({"make-terrain", "--slope", "nan", "-o", "hills.vdb"}).exit_code, 2);
  const std::vector<std::string> render = {"render",    "out/scene", "--frame",  "2",
                                           "--width",   "64",        "--height", "36",
                                           "--samples", "1",         "-o",       "still.png"};
  const ProcessResult whole = run(render);
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(whole.err.find("cannot be shown"), std::string::npos) << whole.err;
  const std::string with_ball = read("still.png");

  // A collider whose file is gone is left out, and named.
  std::filesystem::remove(folder_ / "ball.vdb");
  const ProcessResult rest = run(render);
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.err, HasSubstr("cannot be shown"));
  EXPECT_THAT(rest.err, HasSubstr("ball.vdb"));
  EXPECT_NE(read("still.png"), with_ball);
}

TEST_F(ContactCommandTest, ContactsOfBodiesAreCountedAndWrittenOntoPoints) {
  write("pair.toml",
        "[simulation]\nframes = [1, 3]\n"
        "[[body]]\nname = \"ball\"\ngeometry = { type = \"sphere\", cells = 2 }\n"
        "friction = 0.25\nselfcontact = false\nnocontact = [\"box\"]\n"
        "[[body]]\nname = \"box\"\ngeometry = { type = \"box\", cells = 1 }\n"
        "translate = [3, 0, 0]\n");
  const ProcessResult result =
      run({"simulate", "pair.toml", "--out", "a/f.$F.bgeo", "--attribs", "stress,contacts"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const auto& line : stats("a/stats.jsonl"))
    for (const char* key : {"contact_pairs", "ignored_pairs"})
      EXPECT_EQ(line[key], 0) << key << ": nothing is near";
  for (const char* name : {"a/f.1.bgeo", "a/f.3.bgeo"}) {
    const Geometry geometry = read_geometry(folder_ / name);
    for (const char* attribute : {"contactforce", "contactslip"})
      EXPECT_NE(find_attribute(geometry, ElementClass::kPoint, attribute), nullptr) << attribute;
  }
  const auto values = nlohmann::json::parse(read("a/run.json"))["bodies"][0]["parameters"];
  EXPECT_EQ(values["friction"], 0.25);
  EXPECT_EQ(values["selfcontact"], false);
  EXPECT_THAT(run({"info", "pair.toml"}).out,
              HasSubstr("contact  selfcontact = false, friction = 0.25, nocontact = [\"box\"]"));
}

TEST_F(ContactCommandTest, ContactsAreDrawnIfTheFramesTellOfThem) {
  const auto render = [this](const std::string& run_name, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"render", run_name, "--frame", "3", "-o", "c.png"};
    words.insert(words.end(), {"--width", "96", "--height", "64", "--samples", "1"});
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  write("ball.toml",
        "[simulation]\nframes = [1, 3]\n"
        "[[body]]\ngeometry = { type = \"sphere\", cells = 2 }\ntranslate = [0, 0.5, 0]\n"
        "[[collider]]\nplane = {}\n");
  ASSERT_EQ(run({"simulate", "ball.toml", "--out", "without/f.$F.bgeo"}).exit_code, 0);
  const ProcessResult without = render("without", {"--contacts"});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("simulate with --attribs contacts"));
  const std::vector<std::string> with = {"simulate", "ball.toml", "--attribs",
                                         "contacts", "--out",     "with/f.$F.bgeo"};
  ASSERT_EQ(run(with).exit_code, 0);
  ASSERT_EQ(render("with", {}).exit_code, 0);
  const std::string plain = read("c.png");
  ASSERT_EQ(render("with", {"--contacts"}).exit_code, 0);
  EXPECT_NE(read("c.png"), plain);
}

TEST_F(ContactCommandTest, AMisspelledAttributeOfContactsIsRefusedWithTheRightOne) {
  write("ball.toml", "[[body]]\nname = \"ball\"\ngeometry = { type = \"sphere\" }\n");
  const ProcessResult result = run({"simulate", "ball.toml", "--attribs", "contact"});
  expect_refused(result, "did you mean 'contacts'?");
}

}  // namespace
}  // namespace dashpot
