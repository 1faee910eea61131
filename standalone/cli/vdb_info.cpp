#include <cstdio>

#include "standalone/cli/geometry_info.h"
#include "standalone/formats/vdb_file.h"

namespace dashpot {
namespace {

Json metadata_json(const std::vector<VdbMetadata>& metadata) {
  Json json = Json::array();
  for (const VdbMetadata& entry : metadata)
    json.push_back({{"name", entry.name}, {"type", entry.type}, {"value", entry.value}});
  return json;
}

Json grid_json(const VdbGrid& grid) {
  Json json = {{"name", grid.name},
               {"type", grid.value_type},
               {"class", grid.grid_class},
               {"voxel_size", to_json(grid.voxel_size)},
               {"uniform_voxels", grid.is_uniform},
               {"linear_transform", grid.is_linear},
               {"active_voxels", grid.active_voxels},
               {"bounds", Json()},
               {"background", grid.background},
               {"bytes", grid.bytes},
               {"compression", grid.compression},
               {"saved_as_half", grid.saved_as_half},
               {"metadata", metadata_json(grid.metadata)}};
  if (grid.bounds) json["bounds"] = {to_json(grid.bounds->first), to_json(grid.bounds->second)};
  return json;
}

std::string vector_text(const Json& vector) {
  char text[96];
  std::snprintf(text, sizeof text, "[%g, %g, %g]", vector[0].get<double>(), vector[1].get<double>(),
                vector[2].get<double>());
  return text;
}

void print_grid(const Json& grid) {
  const std::string name = grid["name"];
  std::printf("grid     %s: %s, %s\n", name.empty() ? "(without a name)" : name.c_str(),
              grid["class"].get<std::string>().c_str(), grid["type"].get<std::string>().c_str());
  if (!grid["linear_transform"].get<bool>())
    std::printf("  voxel size      %s m at the first voxel; the grid is a frustum\n",
                vector_text(grid["voxel_size"]).c_str());
  else if (grid["uniform_voxels"].get<bool>())
    std::printf("  voxel size      %g m\n", grid["voxel_size"][0].get<double>());
  else
    std::printf("  voxel size      %s m, not uniform\n", vector_text(grid["voxel_size"]).c_str());
  std::printf("  active voxels   %ld\n", grid["active_voxels"].get<long>());
  if (const Json& bounds = grid["bounds"]; !bounds.is_null())
    std::printf("  bounds          %s to %s m\n", vector_text(bounds[0]).c_str(),
                vector_text(bounds[1]).c_str());
  std::printf("  background      %s\n", grid["background"].get<std::string>().c_str());
  std::printf("  memory          %.1f MB\n", 1e-6 * grid["bytes"].get<double>());
  std::printf("  compression     %s%s\n", grid["compression"].get<std::string>().c_str(),
              grid["saved_as_half"].get<bool>() ? ", numbers as half" : "");
}

}  // namespace

Json vdb_info(const std::string& path) {
  const VdbFile file = inspect_vdb_file(path);
  Json json = {{"file", path},
               {"format", "OpenVDB"},
               {"version", file.version},
               {"metadata", metadata_json(file.metadata)},
               {"grids", Json::array()}};
  for (const VdbGrid& grid : file.grids) json["grids"].push_back(grid_json(grid));
  return json;
}

void print_vdb_info(const Json& info) {
  std::printf("%s\nformat   OpenVDB, library/format %s\n", info["file"].get<std::string>().c_str(),
              info["version"].get<std::string>().c_str());
  for (const Json& entry : info["metadata"])
    std::printf("metadata %s: %s\n", entry["name"].get<std::string>().c_str(),
                entry["value"].get<std::string>().c_str());
  for (const Json& grid : info["grids"]) print_grid(grid);
  if (info["grids"].empty()) std::printf("no grids\n");
}

}  // namespace dashpot
