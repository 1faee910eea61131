#pragma once

#include <map>
#include <string>
#include <vector>

#include "standalone/geometry/geometry.h"

namespace dashpot {

// What the mesh files of the research world hold, and the built-in shapes: points and tets in
// their order and with their orientation, numbered from zero. Group members are ascending.
struct TetGeometry {
  Points points;  // m
  std::vector<Tet> tets;
  std::map<std::string, std::vector<int>> point_groups, tet_groups;
};

// As Houdini would hold it; P in double precision, so that nothing is lost.
Geometry to_geometry(const TetGeometry& tets);

// All points, the tets and the point and primitive groups; the members of a primitive group that
// are not tets are left out.
TetGeometry to_tet_geometry(const Geometry& geometry);

}  // namespace dashpot
