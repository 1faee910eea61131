#pragma once

#include <Eigen/Geometry>
#include <map>
#include <set>

#include "standalone/runs/run_stats.h"

namespace dashpot {

using FrameBoxes = std::map<int, Eigen::AlignedBox3d>;

// A run that flew apart has frames of any size; what happened before can only be seen without them.
// The frames whose boxes fit the others. The statistics tell bodies that burst from bodies that
// travel far.
std::set<int> sane_frames(const FrameBoxes& boxes, const RunStats& stats);

}  // namespace dashpot
