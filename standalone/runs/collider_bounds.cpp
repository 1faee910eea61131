#include "standalone/runs/collider_bounds.h"

#include <numeric>

#include "solver/base/error.h"

namespace dashpot {
namespace {

using Extent = Eigen::AlignedBox3d;

// Sizes of the bodies' box: what is seen with a shape that is shown whole, how far around the
// bodies larger ones are seen, and how far away a plane may be.
constexpr double kWhole = 4, kNear = 0.3, kPlaneReach = 0.5;

// Frames at which a collider is looked at. Those of a sequence have to be read from files.
constexpr std::size_t kPoses = 32, kShapes = 4;

Extent plane_part(const RunCollider& plane, const RigidPose& pose, const Extent& bodies) {
  const Vec3 point = pose.to_world(plane.plane_point());
  const Vec3 normal = pose.rotation * plane.plane_normal();
  const double reach = kPlaneReach * bodies.diagonal().norm();
  Extent part;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = bodies.corner(static_cast<Extent::CornerType>(i));
    const double height = normal.dot(corner - point);
    if (height > 0 && height <= reach) part.extend(Vec3(corner - height * normal));
  }
  return part;
}

Extent shape_part(const SurfaceMesh& mesh, const RigidPose& pose, const Extent& bodies) {
  Extent box;
  for (Eigen::Index p = 0; p < mesh.points.cols(); ++p)
    box.extend(pose.to_world(mesh.points.col(p)));
  if (box.isEmpty()) return box;
  const double size = bodies.diagonal().norm();
  if (bodies.merged(box).diagonal().norm() <= kWhole * size) return box;
  const Vec3 margin = Vec3::Constant(kNear * size);
  return box.intersection(Extent(bodies.min() - margin, bodies.max() + margin));
}

std::vector<int> frames_to_look_at(const RunDirectory& run, const RunCollider& collider) {
  if (collider.shape_count() < 2 && !collider.moves()) return {run.first_frame()};
  std::vector<int> frames(static_cast<std::size_t>(run.last_frame() - run.first_frame() + 1));
  std::iota(frames.begin(), frames.end(), run.first_frame());
  return spread_evenly(frames, collider.shape_count() > 1 ? kShapes : kPoses);
}

}  // namespace

std::vector<Extent> collider_boxes(const RunDirectory& run,
                                   const std::vector<RunCollider>& colliders,
                                   const Extent& bodies) {
  std::vector<Extent> boxes;
  if (bodies.isEmpty()) return boxes;
  for (const RunCollider& collider : colliders)
    for (const int frame : frames_to_look_at(run, collider)) {
      const double time = run.time_of(frame);
      Extent part;
      try {
        part = collider.is_plane() ? plane_part(collider, collider.pose(time), bodies)
                                   : shape_part(collider.mesh(collider.shape_at(time)),
                                                collider.pose(time), bodies);
      } catch (const InputError&) {
        continue;  // a file that is gone: whoever draws it says so
      }
      if (!part.isEmpty()) boxes.push_back(part);
    }
  return boxes;
}

std::vector<int> spread_evenly(const std::vector<int>& list, std::size_t count) {
  if (list.size() <= count) return list;
  std::vector<int> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    chosen.push_back(list[i * (list.size() - 1) / (count - 1)]);
  return chosen;
}

}  // namespace dashpot
