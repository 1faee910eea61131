#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// Name, type ("string", "int32", …) and value as text.
struct VdbMetadata {
  std::string name, type, value;
};

// One grid of an OpenVDB file, without its voxels.
struct VdbGrid {
  std::string name;
  std::string value_type;  // "float", "vec3s", …
  std::string grid_class;  // "level set", "fog volume", "staggered" or "unknown"
  Vec3 voxel_size;         // m
  bool is_uniform;         // the voxels are cubes, in any orientation
  bool is_linear;          // false: a frustum, where voxel_size is that of the first voxel
  std::int64_t active_voxels;
  std::optional<std::pair<Vec3, Vec3>> bounds;  // m, of the active voxels; none if there are none
  std::string background;
  std::int64_t bytes;       // in memory
  std::string compression;  // in the file: "none", "blosc + active values", …
  bool saved_as_half;
  std::vector<VdbMetadata> metadata;
};

struct VdbFile {
  std::string version;  // of the library and the file format
  std::vector<VdbMetadata> metadata;
  std::vector<VdbGrid> grids;
};

// Whether it is one by name (.vdb) or by its first bytes.
bool is_vdb_file(const std::filesystem::path& path);

// Reads the whole file, so that one that is cut short is found. Throws InputError, one sentence
// that names the file.
VdbFile inspect_vdb_file(const std::filesystem::path& path);

}  // namespace dashpot
