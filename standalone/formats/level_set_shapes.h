#pragma once

#include <memory>
#include <string>

#include "solver/base/types.h"
#include "solver/contact/collider.h"

namespace dashpot {

// A level set that the program makes itself. Shapes are centred on the origin, then turned and
// moved.
struct LevelSetShape {
  std::string type = "sphere";      // sphere, box, cylinder (axis y), bowl, terrain
  double voxel_size = 0.02;         // m
  Vec3 size = Vec3::Ones();         // of a box, or the room that terrain fills
  double radius = 0.5, height = 1;  // of a bowl: of its rim, and from there to its bottom
  double thickness = 0.1;           // of a bowl's wall
  double slope = 0.4;               // of terrain: how far it falls per metre of x
  int seed = 1;                     // of terrain
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();
};

// Throws InputError if the type is unknown or the shape too large for its voxels.
std::shared_ptr<const ColliderShape> make_level_set_collider(const LevelSetShape& shape);

}  // namespace dashpot
