#include "solver/host/body_points.h"

#include <limits>
#include <string>

#include "solver/base/error.h"

namespace dashpot {
namespace {

Points scatter(const BodyPoints& points, const TetMesh& mesh, const Points& mesh_values,
               const Points& loose_values) {
  Points all(3, points.point_count);
  for (std::size_t i = 0; i < points.mesh_points.size(); ++i)
    all.col(points.mesh_points[i]) = mesh_values.col(static_cast<Eigen::Index>(i));
  for (std::size_t i = 0; i < points.embedded_points.size(); ++i)
    all.col(points.embedded_points[i]) =
        follow(points.embedding, mesh, mesh_values, static_cast<int>(i));
  for (std::size_t i = 0; i < points.loose_points.size(); ++i)
    all.col(points.loose_points[i]) = loose_values.col(static_cast<Eigen::Index>(i));
  return all;
}

}  // namespace

std::vector<Tet> partition_points(const GeometryView& geometry, Springs& springs,
                                  BodyPoints& points) {
  GeometryTets list = geometry.tets();
  points.point_count = geometry.point_count();
  points.tet_primitives = std::move(list.primitives);
  const std::vector<bool> used = geometry.used_points();
  std::vector<bool> in_mesh(used.size(), false);
  for (const Tet& tet : list.tets)
    for (const int point : tet) in_mesh[static_cast<std::size_t>(point)] = true;
  for (const auto& edge : springs.edges)
    for (const int point : edge) in_mesh[static_cast<std::size_t>(point)] = true;

  std::vector<int> mesh_point(used.size(), -1);
  for (std::size_t i = 0; i < used.size(); ++i) {
    const int point = static_cast<int>(i);
    if (in_mesh[i]) {
      mesh_point[i] = static_cast<int>(points.mesh_points.size());
      points.mesh_points.push_back(point);
    } else {
      (used[i] ? points.embedded_points : points.loose_points).push_back(point);
    }
  }
  for (Tet& tet : list.tets)
    for (int& point : tet) point = mesh_point[static_cast<std::size_t>(point)];
  for (auto& edge : springs.edges)
    for (int& point : edge) point = mesh_point[static_cast<std::size_t>(point)];
  return std::move(list.tets);
}

Points geometry_positions(const BodyPoints& points, const TetMesh& mesh,
                          const Points& mesh_positions) {
  return scatter(points, mesh, mesh_positions, points.loose_positions);
}

Points geometry_velocities(const BodyPoints& points, const TetMesh& mesh,
                           const Points& mesh_velocities) {
  return scatter(points, mesh, mesh_velocities, Points::Zero(3, points.loose_positions.cols()));
}

void refuse_not_finite(int frame, const Points& vectors, const char* what) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (Eigen::Index p = 0; p < vectors.cols(); ++p)
    // Written so that nan is refused.
    if (!(vectors.col(p).array().abs() <= kLargest).all())
      throw SimulationError("frame " + std::to_string(frame) + ": the " + what + " of point " +
                            std::to_string(p) +
                            " is not a finite number; use more substeps or a softer setup.");
}

Points columns(const Points& points, const std::vector<int>& listed) {
  Points result(3, static_cast<Eigen::Index>(listed.size()));
  for (std::size_t i = 0; i < listed.size(); ++i)
    result.col(static_cast<Eigen::Index>(i)) = points.col(listed[i]);
  return result;
}

}  // namespace dashpot
