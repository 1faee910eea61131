#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// A geometry that is to be merged, and what messages call it.
struct MergePart {
  const Geometry* geometry;
  std::string name;
};

// One geometry of all, as Houdini's Merge SOP makes it: points, vertices and primitives of one part
// after those of the other, attributes and groups of equal names united. Detail attributes are
// those of the first part that has them. What cannot be merged is left out, with a sentence each in
// `warnings`. Needs at least one part.
Geometry merge_geometries(const std::vector<MergePart>& parts, std::vector<std::string>& warnings);

// Gives all primitives the string attribute `name`, unless there is one.
void add_name(Geometry& geometry, const std::string& name);

}  // namespace dashpot
