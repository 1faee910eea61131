#pragma once

#include <openvdb/openvdb.h>

#include <memory>
#include <string>
#include <vector>

#include "solver/contact/collider.h"

namespace dashpot {

// One moment of a level set.
struct VdbFrame {
  double time = 0;  // s
  openvdb::GridBase::ConstPtr distance;
  openvdb::GridBase::ConstPtr velocity;  // m/s; nullptr: none
};

// The inside of a level set, of float or double values, narrow band or full. Several frames, in
// order of time, are blended linearly in between and held outside; a surface should then move by
// less than the width of its band from one frame to the next.
//
// Throws InputError that names the grid (and `where`, the file it came from) if it is no level set,
// is empty, has values that are not finite, or a transform that is not affine and invertible.
std::shared_ptr<const ColliderShape> make_vdb_shape(const std::vector<VdbFrame>& frames,
                                                    const std::string& where);

}  // namespace dashpot
