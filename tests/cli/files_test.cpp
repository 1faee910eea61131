// `dashpot info` and `dashpot convert`.

#include <gmock/gmock.h>
#include <openvdb/openvdb.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "standalone/files/read_file.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"
#include "tests/cli/dashpot_process.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

// Of a compressed file of tets with texture coordinates.
void expect_counts(const json& info, const char* version, int points, int tets) {
  EXPECT_EQ(info["format"], "Houdini .bgeo.sc");
  EXPECT_EQ(info["houdini_version"], version);
  EXPECT_EQ(info["points"], points);
  EXPECT_EQ(info["vertices"], 4 * tets);
  EXPECT_EQ(info["primitive_types"], (json{{"tets", tets}}));
  EXPECT_EQ(info["quality"]["orientation"], "negative");
  EXPECT_EQ(info["quality"]["valid"], true);
  const auto is_uv = [](const json& attribute) {
    return attribute["class"] == "vertex" && attribute["name"] == "uv" &&
           attribute["storage"] == "fpreal32" && attribute["size"] == 3;
  };
  EXPECT_EQ(std::count_if(info["attributes"].begin(), info["attributes"].end(), is_uv), 1);
}

class FilesTest : public DashpotTest {
 protected:
  json info(const std::string& name) const {
    const ProcessResult result = run({"info", name, "--json"});
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    EXPECT_EQ(result.err, "") << name;
    return json::parse(result.out);
  }

  void expect_info(const std::filesystem::path& path) const {
    EXPECT_TRUE(info(path.string())["points"].is_number()) << path;
    EXPECT_EQ(run({"info", path.string()}).exit_code, 0) << path;
  }

  void expect_bad_input(const std::vector<std::string>& arguments,
                        const std::string& sentence) const {
    const ProcessResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_THAT(result.err, HasSubstr(sentence));
    EXPECT_EQ(line_count(result.err), 1) << result.err;
  }

  // A tet, a triangle with points of its own, and a point of nothing.
  Geometry tet_and_triangle() const {
    Points points(3, 8);
    points << 0, 1, 0, 0, 0.1, 0.2, 0.1, 5,  //
        0, 0, 1, 0, 0.1, 0.1, 0.2, 5,        //
        0, 0, 0, 1, 0.1, 0.1, 0.1, 5;
    Geometry geometry = make_tet_geometry(points, {{0, 1, 3, 2}});
    std::vector<std::int32_t> vertices = geometry.vertex_points();
    vertices.insert(vertices.end(), {4, 5, 6});
    geometry.set_vertex_points(vertices);
    geometry.primitive_count = 2;
    geometry.primitives.push_back({PrimitiveRun::Kind::kPolygons, "p_r", 1, 1,
                                   JsonArray{"type", "p_r"},
                                   JsonArray{"s_v", 4, "n_p", 1, "r_v", JsonArray{3, 1}}});
    set_numeric(geometry, ElementClass::kPrimitive, "youngsmodulus", std::vector<float>{7, 9}, 1);
    set_numeric(geometry, ElementClass::kPoint, "youngsmodulus", std::vector<float>(8, 3.0F), 1);
    set_point_vectors(geometry, "v", points);
    set_point_vectors(geometry, "rest", points);
    set_point_vectors(geometry, "restP", points);
    set_group(geometry, Group::Class::kPoint, "pins", {0, 1});
    return geometry;
  }
};

class OutsideDataInfo : public FilesTest {};

TEST_F(FilesTest, InfoAsJsonIsValidForEverySample) {
  int files = 0;
  for (const auto& path : geometry_files(own_samples())) {
    if (path.extension() == ".bgeo") continue;  // the same as text
    expect_info(path);
    ++files;
  }
  EXPECT_EQ(files, 8);
  for (const char* name : {"m.node", "m.ele", "m.msh", "m.mesh", "m.veg", "m.t"}) {
    convert_geometry_file(own_samples() / "tets.geo", folder_ / name);
    expect_info(name);
  }
  write("classic.geo", "PGEOMETRY V5\nNPoints 1");
  expect_bad_input({"info", "classic.geo", "--json"}, "classic geometry format of Houdini 11");
}

TEST_F(OutsideDataInfo, AsJsonIsValidForEveryFile) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  int files = 0;
  for (const auto& folder : {houdini_data(), mesh_data()})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string path = entry.path().string();
      const std::string extension = entry.path().extension().string();
      if (extension == ".tsv" || extension == ".json") continue;
      if (path.find("classic") != std::string::npos) {
        expect_bad_input({"info", path, "--json"}, "classic geometry format of Houdini 11");
        continue;
      }
      expect_info(path);
      ++files;
    }
  EXPECT_GE(files, 35);
}

TEST_F(FilesTest, InfoCountsTets) {
  const json found = info((own_samples() / "tets.bgeo.sc").string());
  expect_counts(found, "20.5.278", 9, 12);
  EXPECT_THAT(
      found["groups"],
      Contains(json{{"class", "primitive"}, {"name", "stiff"}, {"size", 9}, {"ordered", false}}));
}

TEST_F(OutsideDataInfo, CountsAPigAsHoudiniWroteIt) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  const json found = info((houdini_data() / "tet_pig_h19.5_f0001.bgeo.sc").string());
  expect_counts(found, "19.5.493", 4708, 18249);
  EXPECT_THAT(
      found["groups"],
      Contains(
          json{{"class", "primitive"}, {"name", "PigNeck"}, {"size", 3824}, {"ordered", false}}));
}

TEST_F(FilesTest, InfoTellsWhatRidesAlongAndWhichAttributesAreUsed) {
  write_geometry(folder_ / "a.bgeo", tet_and_triangle());
  const json found = info("a.bgeo");
  EXPECT_EQ(found["primitive_types"], (json{{"tets", 1}, {"polygons", 1}}));
  EXPECT_EQ(found["embedded_points"], 3);
  EXPECT_EQ(found["loose_points"], 1);
  std::vector<std::string> used;
  for (const json& attribute : found["used_attributes"])
    used.push_back(attribute["class"].get<std::string>() + " " +
                   attribute["name"].get<std::string>());
  EXPECT_THAT(used,
              ::testing::UnorderedElementsAre("primitive youngsmodulus", "point v", "point restP"));
  EXPECT_THAT(run({"info", "a.bgeo"}).out,
              AllOf(HasSubstr("tets     1, with 4 triangles"), HasSubstr("polygons 1\n"),
                    HasSubstr("3 are not of tets"), HasSubstr("fpreal32    7 to 9"),
                    HasSubstr("uses     primitive attribute youngsmodulus")));
}

TEST_F(FilesTest, InfoCountsNumbersThatAreNotFiniteAndLeavesThemOutOfRanges) {
  Geometry geometry = tet_and_triangle();
  Points points = positions(geometry);
  points(1, 2) = std::numeric_limits<double>::quiet_NaN();
  points(0, 7) = std::numeric_limits<double>::infinity();
  set_positions(geometry, points);
  write_geometry(folder_ / "a.bgeo", geometry);
  const json found = info("a.bgeo");
  EXPECT_EQ(found["not_finite_points"], 2);
  EXPECT_EQ(found["bounds"][1][0], 1.0);
  EXPECT_EQ(found["quality"]["not_finite_points"], (json{2, 7}));
  for (const json& attribute : found["attributes"]) {
    if (attribute["name"] != "P") continue;
    EXPECT_EQ(attribute["not_finite"], 2);
    EXPECT_EQ(attribute["max"][1], 5.0);
  }
  EXPECT_THAT(run({"info", "a.bgeo"}).out, HasSubstr("2 not finite"));
}

TEST_F(FilesTest, InfoSurvivesGeometryOfNothing) {
  write("nothing.geo", "[]");
  EXPECT_EQ(info("nothing.geo")["points"], 0);
  EXPECT_THAT(info("nothing.geo")["warnings"], Contains(HasSubstr("no point attribute P")));
  Points bad = Points::Constant(3, 4, std::numeric_limits<double>::quiet_NaN());
  write_geometry(folder_ / "bad.bgeo", make_tet_geometry(bad, {{0, 1, 2, 3}}));
  EXPECT_TRUE(info("bad.bgeo")["bounds"].is_null());
  EXPECT_THAT(run({"info", "bad.bgeo"}).out, HasSubstr("no finite numbers"));
}

TEST_F(FilesTest, InfoDescribesAVolume) {
  openvdb::initialize();
  const auto grid = openvdb::FloatGrid::create(0.5F);
  grid->setName("density");
  grid->setGridClass(openvdb::GRID_FOG_VOLUME);
  grid->setTransform(openvdb::math::Transform::createLinearTransform(0.25));
  grid->tree().setValue(openvdb::Coord(0, 0, 0), 1.0F);
  openvdb::io::File((folder_ / "a.vdb").string()).write({grid});
  const json found = info("a.vdb");
  ASSERT_EQ(found["grids"].size(), 1u);
  EXPECT_EQ(found["grids"][0]["name"], "density");
  EXPECT_EQ(found["grids"][0]["class"], "fog volume");
  EXPECT_EQ(found["grids"][0]["voxel_size"], (json{0.25, 0.25, 0.25}));
  EXPECT_EQ(found["grids"][0]["bounds"], (json{{-0.125, -0.125, -0.125}, {0.125, 0.125, 0.125}}));
  EXPECT_THAT(run({"info", "a.vdb"}).out, AllOf(HasSubstr("grid     density: fog volume, float"),
                                                HasSubstr("voxel size      0.25 m")));
  expect_bad_input({"convert", "a.vdb", "b.geo"}, "OpenVDB volumes are not converted");
  std::filesystem::resize_file(folder_ / "a.vdb", 300);
  expect_bad_input({"info", "a.vdb"}, "cut short");
}

TEST_F(FilesTest, OutputThatAFullDiskDoesNotTakeIsNoSuccess) {
  const std::string command = DASHPOT_BIN_DIR "/dashpot params --json > /dev/full 2> err.txt";
  const int status = std::system(("cd '" + folder_.string() + "' && " + command).c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(read_file(folder_ / "err.txt"), HasSubstr("the output cannot be written"));
}

TEST_F(FilesTest, ConvertNotesWhatIsLeftOutAndSucceeds) {
  write_geometry(folder_ / "a.bgeo", tet_and_triangle());
  const ProcessResult result = run({"convert", "a.bgeo", "b.node"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("dashpot: note: point attributes left out"),
                    HasSubstr("1 polygons left out"), HasSubstr("point groups left out")));
  EXPECT_TRUE(exists("b.node") && exists("b.ele"));
  EXPECT_EQ(info("b.ele")["quality"]["orientation"], "positive");
  EXPECT_EQ(run({"convert", "b.ele", "c.bgeo.sc"}).err, "");
  EXPECT_EQ(info("c.bgeo.sc")["quality"]["orientation"], "negative");
}

TEST_F(FilesTest, ConvertRefusesTheImpossibleAndWritesNothing) {
  write_geometry(folder_ / "a.bgeo", tet_and_triangle());
  expect_bad_input({"convert", "a.bgeo", "./a.bgeo"}, "would overwrite");
  expect_bad_input({"convert", "a.bgeo", "a.stl"}, "cannot tell the format to write");
  expect_bad_input({"convert", "a.bgeo", "a.vdb"}, "OpenVDB volumes are not converted");
  expect_bad_input({"convert", "no.bgeo", "b.geo"}, "no.bgeo: cannot be read");
  expect_bad_input({"convert", "a.bgeo", "no/b.geo"}, "No such file or directory");
  expect_bad_input({"convert", "a.bgeo"}, "convert needs out");
  Geometry no_tets = make_tet_geometry(Points::Zero(3, 2), {});
  write_geometry(folder_ / "points.geo", no_tets);
  expect_bad_input({"convert", "points.geo", "b.msh"}, "b.msh: there are no tets to write");
  EXPECT_FALSE(exists("b.msh") || exists("b.geo") || exists("a.stl"));
}

}  // namespace
}  // namespace dashpot
