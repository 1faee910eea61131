#pragma once

#include <openvdb/openvdb.h>

#include <string>
#include <vector>

#include "standalone/scene/scene_file.h"

class GU_Detail;

namespace dashpot {

// A collider of a scene file as an artist would bring it: a level set, and velocities if it moves.
struct ExampleCollider {
  std::string name;
  double friction, restitution;
  openvdb::GridBase::Ptr distance, velocity;  // velocity: may be nullptr
};

// At a frame. Planes become slabs beneath the bodies.
std::vector<ExampleCollider> example_colliders(const SceneFile& file, int frame);

void fill_colliders(const std::vector<ExampleCollider>& colliders, GU_Detail& detail);

bool any_moves(const SceneFile& file);

// Writes `folder`/name.0001.vdb, …, or one file if nothing moves, and returns the [[collider]]
// tables that name them.
std::string write_colliders(const SceneFile& file, int first, int last, const std::string& folder);

}  // namespace dashpot
