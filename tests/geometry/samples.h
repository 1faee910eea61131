#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// Small geometries of the project's own: every kind of primitive, attribute, group and spelling, as
// text and, by `dashpot convert x.geo x.bgeo`, as binary.
inline std::filesystem::path own_samples() {
  return std::filesystem::path(DASHPOT_SOURCE_DIR) / "tests" / "geometry" / "samples";
}

// All geometry files of a folder that can be read, in the order of their names.
std::vector<std::filesystem::path> geometry_files(const std::filesystem::path& folder);

// What differs between two geometries' contents, however they are spelled; empty if nothing.
std::string difference(const Geometry& a, const Geometry& b);

// Tets with attributes of several storages and classes, and groups. By default more than one page.
Geometry varied_geometry(int points = 1500);

}  // namespace dashpot
