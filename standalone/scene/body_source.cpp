#include "standalone/scene/body_source.h"

namespace dashpot {
namespace {

Points scatter(const BodySource& source, const TetMesh& mesh, const Points& mesh_values,
               const Points& loose_values) {
  Points all(3, source.geometry.point_count);
  for (std::size_t i = 0; i < source.mesh_points.size(); ++i)
    all.col(source.mesh_points[i]) = mesh_values.col(static_cast<Eigen::Index>(i));
  for (std::size_t i = 0; i < source.embedded_points.size(); ++i)
    all.col(source.embedded_points[i]) =
        follow(source.embedding, mesh, mesh_values, static_cast<int>(i));
  for (std::size_t i = 0; i < source.loose_points.size(); ++i)
    all.col(source.loose_points[i]) = loose_values.col(static_cast<Eigen::Index>(i));
  return all;
}

}  // namespace

Points geometry_positions(const BodySource& source, const TetMesh& mesh,
                          const Points& mesh_positions) {
  return scatter(source, mesh, mesh_positions, source.loose_positions);
}

Points geometry_velocities(const BodySource& source, const TetMesh& mesh,
                           const Points& mesh_velocities) {
  return scatter(source, mesh, mesh_velocities, Points::Zero(3, source.loose_positions.cols()));
}

}  // namespace dashpot
