#pragma once

#include <openvdb/openvdb.h>

#include <vector>

#include "solver/contact/collider.h"

namespace dashpot {

// A level set of a collider input with what belongs to it. Voxels are shared with Houdini and never
// changed by either side.
struct ColliderGrid {
  Collider collider;  // without its shape; its name is "input 3, primitive 0 (surface)"
  openvdb::GridBase::ConstPtr distance;
  openvdb::GridBase::ConstPtr velocity;  // m/s; nullptr: none
};

// All of one frame.
struct ColliderGrids {
  std::vector<ColliderGrid> list;
};

}  // namespace dashpot
