#pragma once

#include <openvdb/openvdb.h>

#include <string>
#include <vector>

#include "solver/base/hash.h"

class GU_Detail;

namespace dashpot {

// THE SEAM TO solver/contact. Until the solver has colliders, the nodes only warn that these are
// ignored; then SOP_DashpotSolver::Cook::use_inputs_at and GAS_DashpotSolver::step hand them to the
// simulation for the frame that it advances to.

// A level set of a collider input with what belongs to it. Grids are shared with Houdini and never
// changed.
struct ColliderGrid {
  std::string name;  // "input 3, primitive 0 (surface)"
  openvdb::GridBase::ConstPtr distance;
  openvdb::GridBase::ConstPtr velocity;  // m/s; nullptr: none
  double friction = 0, restitution = 0;
};

// Every VDB of the level-set class is a collider. A VDB of vectors is the velocity of the collider
// before it. Primitive attributes `friction` and `restitution` win over those of the detail.
// Throws InputError, naming the primitive, for VDBs of another kind, for velocities that belong to
// nothing, and for attributes that are negative or not finite. Other primitives are ignored.
std::vector<ColliderGrid> read_colliders(const GU_Detail& detail, const std::string& description);

// Adds all values of the grids, so that an edit is told from the same grid cooked again.
void hash_colliders(const std::vector<ColliderGrid>& colliders, Hash& hash);

}  // namespace dashpot
