// What `convert` writes is what an independent reader reads.

#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "standalone/files/read_file.h"
#include "standalone/formats/geometry_file.h"
#include "tests/formats/temp_folder.h"
#include "tests/geometry/samples.h"
#include "tests/support/outside_data.h"

namespace dashpot {
namespace {

using nlohmann::json;

// Text files hold decimals, which stand for the nearest float.
void round_to_single(json& value) {
  if (value.is_number()) value = static_cast<double>(value.get<float>());
  if (value.is_array())
    for (json& item : value) round_to_single(item);
}

// All that the oracle found, without what differs between text and binary by custom.
json found_by_oracle(const std::filesystem::path& file, const TempFolder& folder) {
  const std::filesystem::path out = folder.path() / "dump.json";
  const std::string command = "python3 '" + (outside_data() / "tools" / "geo_oracle.py").string() +
                              "' --json '" + file.string() + "' > '" + out.string() + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0) << command << "\n" << read_file(out);
  const std::string text = read_file(out);
  json found = json::parse(text.substr(0, text.find('\n')));  // remarks follow
  for (json& primitive : found["prims"]) primitive = primitive[1];
  for (json& attribute : found["attrs"])
    if (attribute["storage"] == "fpreal32") round_to_single(attribute["values"]);
  return found;
}

void expect_the_same_in_every_form(const std::filesystem::path& samples) {
  const TempFolder folder;
  int checked = 0;
  for (const auto& path : geometry_files(samples)) {
    // The reader is slow; the large samples have little that the small ones do not have.
    if (std::filesystem::file_size(path) > 200000) continue;
    const json wanted = found_by_oracle(path, folder);
    EXPECT_TRUE(wanted["attrs"].contains("point/P")) << path;
    for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc", "a.bgeo.gz"}) {
      convert_geometry_file(path, folder.path() / name);
      const json found = found_by_oracle(folder.path() / name, folder);
      for (const char* part : {"points", "vertices", "prims", "attrs", "groups"})
        EXPECT_TRUE(found[part] == wanted[part]) << part << " of " << path << " as " << name;
    }
    ++checked;
  }
  EXPECT_GE(checked, 10);
}

TEST(OutsideDataOracle, FindsTheSameInEveryFormThatConvertWrites) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_the_same_in_every_form(houdini_data());
}

TEST(OutsideDataOracle, FindsTheSameInEveryFormOfOwnSamples) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  expect_the_same_in_every_form(own_samples());
}

TEST(OutsideDataOracle, FindsTheTetsThatComeFromAMeshFile) {
  SKIP_WITHOUT_OUTSIDE_DATA();
  const std::filesystem::path mesh = mesh_data() / "turtle.veg";
  const TempFolder folder;
  const Geometry geometry = read_geometry_file(mesh);
  const Points points = positions(geometry);
  const std::vector<Tet> wanted = tets(geometry).tets;
  for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc"}) {
    convert_geometry_file(mesh, folder.path() / name);
    const json found = found_by_oracle(folder.path() / name, folder);
    ASSERT_EQ(found["prims"].size(), wanted.size()) << name;
    for (std::size_t t = 0; t < wanted.size(); ++t)
      EXPECT_EQ(found["prims"][t], json({wanted[t][0], wanted[t][1], wanted[t][3], wanted[t][2]}));
    const json& positions = found["attrs"]["point/P"]["values"];
    ASSERT_EQ(static_cast<Eigen::Index>(positions.size()), points.cols()) << name;
    for (Eigen::Index p = 0; p < points.cols(); ++p)
      EXPECT_EQ(positions[static_cast<std::size_t>(p)],
                json({points(0, p), points(1, p), points(2, p)}));
  }
}

}  // namespace
}  // namespace dashpot
