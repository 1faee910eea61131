#pragma once

#include <string>
#include <vector>

#include "solver/mesh/embedding.h"
#include "standalone/geometry/geometry.h"

namespace dashpot {

// Where a body came from, and how its frames go back there.
struct BodySource {
  std::string description;  // path of the file, or the type of the built-in shape
  bool is_file = false;     // Houdini's own file: frames keep all that it has
  Geometry geometry;        // as it came

  // Each point of the geometry is in one of these three.
  std::vector<int> mesh_points;      // point of the geometry for each point of the mesh
  std::vector<int> embedded_points;  // used by other primitives only: they ride on the tets
  std::vector<int> loose_points;     // used by nothing: they stay
  Embedding embedding;               // of embedded_points
  Points loose_positions;            // m, placed

  std::vector<int> tet_primitives;  // primitive of the geometry for each tet of the mesh
};

// Of all points of the geometry, for those of the mesh.
Points geometry_positions(const BodySource& source, const TetMesh& mesh,
                          const Points& mesh_positions);
Points geometry_velocities(const BodySource& source, const TetMesh& mesh,
                           const Points& mesh_velocities);

}  // namespace dashpot
