#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "standalone/runs/run_colliders.h"

namespace dashpot {

// What of a run's colliders a camera should see beside its bodies, which stay in `bodies`: shapes
// as a whole unless they would make the bodies small, else the part that is near; of planes the
// part under bodies that are near.
std::vector<Eigen::AlignedBox3d> collider_boxes(const RunDirectory& run,
                                                const std::vector<RunCollider>& colliders,
                                                const Eigen::AlignedBox3d& bodies);

// So many of a list, evenly spread, with the first and the last one.
std::vector<int> spread_evenly(const std::vector<int>& list, std::size_t count);

}  // namespace dashpot
