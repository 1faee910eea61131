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

// The sign of det[p1-p0, p2-p0, p3-p0] that a family of files has by custom.
enum class Orientation {
  kPositive,  // the mesh files of the research world
  kNegative,  // Houdini's
};

// Swaps the last two corners of every tet if more tets have the other sign than this one, so that
// doing it there and back restores every tet.
void orient(TetGeometry& geometry, Orientation orientation);

// As Houdini would hold it; P in double precision, so that nothing is lost.
Geometry to_geometry(const TetGeometry& tets);

// All points, the tets and the point and primitive groups; the members of a primitive group that
// are not tets are left out.
TetGeometry to_tet_geometry(const Geometry& geometry);

}  // namespace dashpot
