#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/contact/collider.h"

class GU_Detail;

namespace dashpot {

// VDBs of Houdini as colliders of the solver. OpenVDB's headers are slow to compile and stay behind
// this one.
struct ColliderGrids;  // collider_grids.h

// Every VDB of the level-set class is a collider. A VDB of vectors is the velocity of the collider
// before it. Primitive attributes of the names of coefficients, such as `friction`, win over those
// of the detail, and those over the coefficients of `defaults`. Throws InputError, naming the
// primitive, for VDBs of another kind, for velocities that belong to nothing, and for attributes
// that are out of range. Other primitives are ignored.
std::shared_ptr<const ColliderGrids> read_colliders(const GU_Detail& detail,
                                                    const std::string& description,
                                                    const Collider& defaults);

// Of all values of the grids, so that an edit is told from the same grid cooked again.
std::uint64_t collider_hash(const ColliderGrids& grids);

struct ColliderMoment {
  double time = 0;  // s
  std::shared_ptr<const ColliderGrids> grids;
};

// The obstacles between two moments, blended; those of the end if they do not change. Throws
// InputError if there are not equally many.
std::vector<Collider> make_colliders(const ColliderMoment& begin, const ColliderMoment& end);

}  // namespace dashpot
