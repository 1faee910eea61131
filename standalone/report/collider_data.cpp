#include "standalone/report/collider_data.h"

#include <Eigen/Geometry>
#include <limits>

#include "solver/base/error.h"
#include "standalone/render/palette.h"
#include "standalone/render/shading_normals.h"
#include "standalone/report/compact_data.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;

// Of all shapes of a collider together: about a megabyte of the page.
constexpr std::size_t kMostTriangles = 80000;

Json vector_json(const Vec3& v) {
  return {v.x(), v.y(), v.z()};
}

// Vertices are split at creases, so that the page can smooth what is round.
Json mesh_json(DataWriter& data, const SurfaceMesh& mesh) {
  const ShadingNormals split = shading_normals(mesh.points, mesh.triangles);
  Points vertices(3, static_cast<Eigen::Index>(split.normals.size()));
  std::vector<std::int32_t> corners;
  corners.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      corners.push_back(split.corners[t][k]);
      vertices.col(split.corners[t][k]) = mesh.points.col(mesh.triangles[t][k]);
    }
  const Vec3 low = vertices.rowwise().minCoeff(), high = vertices.rowwise().maxCoeff();
  const Quantisation quantisation = quantisation_of(low, high);
  return {{"triangles", mesh.triangles.size()},
          {"origin", vector_json(low)},
          {"step", quantisation.step},
          {"corners", data.add(pack_numbers(corners))},
          {"vertices", data.add(pack_frames({quantise(vertices, quantisation)}, 3))}};
}

// One shape for each file that is seen, with the first frame that shows it.
Json shapes_json(DataWriter& data, const RunCollider& collider, const RunDirectory& run) {
  Json shapes = Json::array();
  std::size_t last = std::numeric_limits<std::size_t>::max();
  for (int frame = run.first_frame(); frame <= run.last_frame(); ++frame) {
    const std::size_t shape = collider.shape_at(run.time_of(frame));
    if (shape == last) continue;
    last = shape;
    const SurfaceMesh mesh = collider.light_mesh(shape, kMostTriangles / collider.shape_count());
    if (mesh.triangles.empty()) continue;
    Json json = mesh_json(data, mesh);
    json["from"] = frame;
    shapes.push_back(std::move(json));
  }
  return shapes;
}

// x, y, z of the origin, then a quaternion (x, y, z, w); one pose is enough for what stays.
Json poses_json(const RunCollider& collider, const RunDirectory& run) {
  Json poses = Json::array();
  const int last = collider.moves() ? run.last_frame() : run.first_frame();
  for (int frame = run.first_frame(); frame <= last; ++frame) {
    const RigidPose pose = collider.pose(run.time_of(frame));
    const Eigen::Quaterniond q(pose.rotation);
    const Vec3& t = pose.translation;
    poses.push_back({t.x(), t.y(), t.z(), q.x(), q.y(), q.z(), q.w()});
  }
  return poses;
}

}  // namespace

Json colliders_json(DataWriter& data, RunFrames& run) {
  Json list = Json::array();
  for (const RunCollider& collider : run.colliders) {
    Json json = {{"name", collider.name()}, {"colour", hex_colour(collider_colour())}};
    json["plane"] = nullptr;
    if (collider.is_plane())
      json["plane"] = {{"point", vector_json(collider.plane_point())},
                       {"normal", vector_json(collider.plane_normal())}};
    try {
      json["shapes"] = collider.is_plane() ? Json::array() : shapes_json(data, collider, run.run);
    } catch (const InputError& error) {
      run.problems.push_back("The collider '" + collider.name() +
                             "' cannot be shown: " + error.what());
      continue;
    }
    json["poses"] = poses_json(collider, run.run);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace dashpot
