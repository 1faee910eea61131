#pragma once

#include <vector>

#include "solver/host/geometry_view.h"
#include "solver/mesh/embedding.h"
#include "solver/mesh/tet_mesh.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// Which points of a geometry are a body's mesh, and how the others follow it. Each point is in one
// of the three lists.
struct BodyPoints {
  int point_count = 0;               // of the geometry
  std::vector<int> mesh_points;      // point of the geometry for each point of the mesh
  std::vector<int> embedded_points;  // used by other primitives only: they ride on the tets
  std::vector<int> loose_points;     // used by nothing: they stay
  Embedding embedding;               // of embedded_points
  Points loose_positions;            // m, placed

  std::vector<int> tet_primitives;  // primitive of the geometry for each tet of the mesh
};

// Sorts the points into those of tets and springs, of other primitives, and of nothing; the tets
// returned and the springs are then in point numbers of the mesh.
std::vector<Tet> partition_points(const GeometryView& geometry, Springs& springs,
                                  BodyPoints& points);

// Of all points of the geometry, for those of the mesh.
Points geometry_positions(const BodyPoints& points, const TetMesh& mesh,
                          const Points& mesh_positions);
Points geometry_velocities(const BodyPoints& points, const TetMesh& mesh,
                           const Points& mesh_velocities);

// Hosts store single precision. Throws SimulationError, naming the frame and the point, for what is
// not finite there. what: "position", "velocity".
void refuse_not_finite(int frame, const Points& vectors, const char* what);

// The listed columns, in the order of the list.
Points columns(const Points& points, const std::vector<int>& listed);

}  // namespace dashpot
