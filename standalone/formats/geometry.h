#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// What a tet mesh file holds: points and tets in the file's order and with the file's orientation,
// numbered from zero. Group members are point or tet numbers in ascending order, unless the file
// says that the group is ordered.
struct TetGeometry {
  Points points;  // m
  std::vector<Tet> tets;
  std::map<std::string, std::vector<int>> point_groups, tet_groups;
  std::optional<Points> velocity;  // m/s, one column per point
};

}  // namespace dashpot
