#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// Files that Houdini 13 … 21 wrote, next to the project. Empty if they are not there.
inline std::filesystem::path sample_folder() {
  return std::filesystem::path(DASHPOT_SOURCE_DIR) / ".." / "shared" / "data" / "houdini";
}

// All samples that can be read, in the order of their names.
std::vector<std::filesystem::path> sample_files();

// What differs between two geometries' contents, however they are spelled; empty if nothing.
std::string difference(const Geometry& a, const Geometry& b);

// Tets with attributes of several storages and classes, and groups. By default more than one page.
Geometry varied_geometry(int points = 1500);

}  // namespace dashpot
