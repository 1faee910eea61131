#pragma once

#include <openvdb/openvdb.h>

#include <string>
#include <vector>

namespace dashpot {

// A level set of a collider input with what belongs to it. Voxels are shared with Houdini and never
// changed by either side.
struct ColliderGrid {
  std::string name;  // "input 3, primitive 0 (surface)"
  openvdb::GridBase::ConstPtr distance;
  openvdb::GridBase::ConstPtr velocity;  // m/s; nullptr: none
  double friction = 0, restitution = 0;
};

// All of one frame.
struct ColliderGrids {
  std::vector<ColliderGrid> list;
};

}  // namespace dashpot
