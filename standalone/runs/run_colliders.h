#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/simulation/scene.h"
#include "standalone/formats/collider_source.h"
#include "standalone/formats/level_set_mesh.h"
#include "standalone/runs/run_directory.h"

namespace dashpot {

// A collider of a run, to be drawn at any time. It has one shape, or one for each file of a
// sequence, and moves rigidly.
class RunCollider {
 public:
  // A shape that stays is meshed here, once. Throws InputError if a file is missing or no level
  // set.
  RunCollider(std::string name, ColliderSource source);

  const std::string& name() const { return name_; }
  bool is_plane() const { return source_.plane.has_value(); }
  // Of a plane, in the collider's space.
  const Vec3& plane_point() const { return source_.plane->first; }
  const Vec3& plane_normal() const { return source_.plane->second; }

  bool moves() const { return !source_.motion.empty(); }
  // From the collider's space into the world; `time` in s.
  RigidPose pose(double time) const { return pose_at(source_.motion, time); }

  // None for a plane.
  std::size_t shape_count() const;
  std::size_t shape_at(double time) const;
  // Files of a sequence are read anew every time. Throws InputError as above.
  SurfaceMesh mesh(std::size_t shape) const { return still_ ? *still_ : make_mesh(shape, 0); }
  // With at most so many triangles, if joining those in a plane can do that.
  SurfaceMesh light_mesh(std::size_t shape, std::size_t most_triangles) const;

 private:
  SurfaceMesh make_mesh(std::size_t shape, double adaptivity) const;

  std::string name_;
  ColliderSource source_;
  std::optional<SurfaceMesh> still_;
};

// Those that run.json tells of. What cannot be drawn is left out and becomes a sentence.
std::vector<RunCollider> read_colliders(const RunDirectory& run,
                                        std::vector<std::string>& problems);

}  // namespace dashpot
