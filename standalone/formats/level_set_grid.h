#pragma once

#include <openvdb/openvdb.h>

#include "standalone/formats/level_set_shapes.h"

namespace dashpot {

// A narrow band of distances, three voxels to each side. Throws InputError if the type is unknown
// or the shape too large for its voxels.
openvdb::FloatGrid::Ptr make_level_set(const LevelSetShape& shape);

}  // namespace dashpot
