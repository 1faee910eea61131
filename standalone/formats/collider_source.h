#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/kinematics/pin_motion.h"
#include "standalone/files/input_files.h"
#include "standalone/formats/level_set_shapes.h"
#include "standalone/formats/vdb_collider.h"

namespace dashpot {

// What a collider was made from, for pictures of it: a plane, files or a shape.
struct ColliderSource {
  std::optional<std::pair<Vec3, Vec3>> plane;  // point and normal
  std::vector<VdbColliderFile> files;
  InputFiles inputs;  // those, and the rest of their sequence
  std::string grid;
  std::optional<LevelSetShape> shape;
  std::vector<RigidMotion> motion;
};

}  // namespace dashpot
