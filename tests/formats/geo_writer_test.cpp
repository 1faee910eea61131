#include "standalone/formats/geo_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "solver/base/error.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/files/text_scanner.h"
#include "tests/formats/temp_folder.h"

namespace dashpot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Two tets with awkward numbers, in Houdini's orientation.
struct Sample {
  Points points{3, 5}, velocities{3, 5};
  std::vector<Tet> tets{{0, 1, 3, 2}, {1, 2, 4, 3}};
  TetFrame frame;

  Sample() {
    points << 0.0, 1.0 / 3.0, -0.0, 1e-30, 1.1,  //
        0.1, 0.2, 0.7, 16777217.0, -1e-3,        //
        3e38, 1e-45, 5.0, 0.3, 2.5;
    velocities = -0.125 * points;
    frame.points = &points;
    frame.velocities = &velocities;
    frame.tets = &tets;
    frame.bodies = {{"jelly \"A\"\\\n", 0, 1}, {"b", 1, 1}};
    frame.point_groups = {{"pins", {0, 1, 4}}, {"none", {}}};
    frame.tet_groups = {{"second", {1}}};
    frame.time = 0.5;
    frame.frame = 12;
  }
  Sample(const Sample&) = delete;
};

Points in_single_precision(const Points& points) {
  return points.cast<float>().cast<double>();
}

TEST(GeoWriter, WhatItWritesReadsBackExactlyInSinglePrecision) {
  const TempFolder folder;
  const Sample sample;
  write_geo_frame(folder.path() / "f.geo", sample.frame);
  const TetGeometry read = read_tet_geometry(folder.path() / "f.geo");
  EXPECT_EQ(read.points, in_single_precision(sample.points));
  ASSERT_TRUE(read.velocity.has_value());
  EXPECT_EQ(*read.velocity, in_single_precision(sample.velocities));
  EXPECT_EQ(read.tets, sample.tets);
  EXPECT_EQ(read.point_groups, sample.frame.point_groups);
  EXPECT_EQ(read.tet_groups, sample.frame.tet_groups);
}

TEST(GeoWriter, KeepsHoudinisOrderOfSectionsAndAttributes) {
  const TempFolder folder;
  const Sample sample;
  write_geo_frame(folder.path() / "f.geo", sample.frame);
  const nlohmann::json root = nlohmann::json::parse(read_file(folder.path() / "f.geo"));
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < root.size(); i += 2) keys.push_back(root[i]);
  EXPECT_THAT(keys, ElementsAre("fileversion", "hasindex", "pointcount", "vertexcount",
                                "primitivecount", "info", "topology", "attributes", "primitives",
                                "pointgroups", "primitivegroups"));
  EXPECT_EQ(root[1], "19.5.493");
  const nlohmann::json& info = root[11];
  EXPECT_EQ(info["time"], 0.5);
  EXPECT_FLOAT_EQ(info["bounds"][1].get<float>(), 1.1f);
  const nlohmann::json& points = root[15][1];
  EXPECT_EQ(points[0][0][5], "P") << "P comes first";
  EXPECT_EQ(points[1][0][5], "v");
  EXPECT_EQ(points[1][0][7]["type"]["value"], "vector");
  const nlohmann::json& name = root[15][3][0];
  EXPECT_EQ(name[0][5], "name");
  EXPECT_EQ(name[1][5], (nlohmann::json{"jelly \"A\"\\\n", "b"}));
  EXPECT_EQ(name[1][7][5], (nlohmann::json{{0, 1}}));
}

TEST(GeoWriter, EqualFramesGiveEqualBytes) {
  const TempFolder folder;
  const Sample sample;
  write_geo_frame(folder.path() / "a.geo", sample.frame);
  write_geo_frame(folder.path() / "b.geo", sample.frame);
  EXPECT_EQ(read_file(folder.path() / "a.geo"), read_file(folder.path() / "b.geo"));
}

TEST(GeoWriter, LeavesOutWhatThereIsNot) {
  const TempFolder folder;
  Sample sample;
  sample.frame.velocities = nullptr;
  sample.frame.bodies.clear();
  sample.frame.point_groups.clear();
  sample.frame.tet_groups.clear();
  write_geo_frame(folder.path() / "f.geo", sample.frame);
  const std::string text = read_file(folder.path() / "f.geo");
  for (const char* absent : {"\"v\"", "primitiveattributes", "pointgroups", "primitivegroups"})
    EXPECT_EQ(text.find(absent), std::string::npos) << absent;
  EXPECT_FALSE(read_tet_geometry(folder.path() / "f.geo").velocity.has_value());
}

TEST(GeoWriter, WritesAnEmptyFrame) {
  const TempFolder folder;
  Sample sample;
  sample.points.resize(3, 0);
  sample.tets.clear();
  sample.frame.velocities = nullptr;
  sample.frame.bodies.clear();
  sample.frame.point_groups = {{"none", {}}};
  sample.frame.tet_groups.clear();
  write_geo_frame(folder.path() / "f.geo", sample.frame);
  const TetGeometry read = read_tet_geometry(folder.path() / "f.geo");
  EXPECT_EQ(read.points.cols(), 0);
  EXPECT_TRUE(read.tets.empty());
}

TEST(GeoWriter, RefusesNumbersThatAreNotFinite) {
  const TempFolder folder;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 1e39}) {
    for (const bool velocity : {false, true}) {
      Sample sample;
      (velocity ? sample.velocities : sample.points)(1, 3) = bad;
      try {
        write_geo_frame(folder.path() / "f.geo", sample.frame);
        ADD_FAILURE() << bad << " was written";
      } catch (const SimulationError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr(velocity ? "frame 12: the velocity of point 3 is not a finite"
                                       : "frame 12: the position of point 3 is not a finite"));
      }
      EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
  }
}

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"),
                                                             &::pclose);
  std::string output;
  std::array<char, 4096> block;
  while (const std::size_t n = std::fread(block.data(), 1, block.size(), pipe.get()))
    output.append(block.data(), n);
  return output;
}

TEST(GeoWriter, AnIndependentReaderOfHoudinisFormatAgrees) {
  const std::filesystem::path oracle = DASHPOT_SOURCE_DIR "/../shared/tools/geo_oracle.py";
  const std::filesystem::path python = "/usr/bin/python3";
  if (!std::filesystem::exists(oracle) || !std::filesystem::exists(python))
    GTEST_SKIP() << oracle << " or " << python << " is absent";
  const TempFolder folder;
  const Sample sample;
  write_geo_frame(folder.path() / "f.geo", sample.frame);
  const std::string command = "'" + python.string() + "' '" + oracle.string() + "' ";
  const std::string file = " '" + (folder.path() / "f.geo").string() + "' 2>&1";
  EXPECT_THAT(output_of(command + file), Not(testing::AnyOf(HasSubstr("ODD"), HasSubstr("FAIL"))));

  const nlohmann::json geo = nlohmann::json::parse(output_of(command + "--json" + file));
  EXPECT_EQ(geo["points"], 5);
  ASSERT_EQ(geo["prims"].size(), 2u);
  for (std::size_t t = 0; t < 2; ++t)
    EXPECT_EQ(geo["prims"][t][1], nlohmann::json(sample.tets[t])) << "tet " << t;
  const Points expected = in_single_precision(sample.points);
  for (int p = 0; p < 5; ++p)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_EQ(geo["attrs"]["point/P"]["values"][p][axis].get<float>(),
                static_cast<float>(expected(axis, p)));
  EXPECT_EQ(geo["attrs"]["point/v"]["size"], 3);
  EXPECT_EQ(geo["attrs"]["primitive/name"]["values"], (nlohmann::json{0, 1}));
  EXPECT_EQ(geo["groups"]["point/pins"], (nlohmann::json{0, 1, 4}));
  EXPECT_EQ(geo["groups"]["primitive/second"], nlohmann::json::array({1}));
}

}  // namespace
}  // namespace dashpot
