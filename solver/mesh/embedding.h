#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {

// Points that ride on a tet mesh, such as those of a render skin: each is a fixed combination of
// the corners of one tet.
struct Embedding {
  std::vector<int> tet;
  std::vector<Eigen::Vector4d> weights;  // of the tet's corners; they add up to 1

  int count() const { return static_cast<int>(tet.size()); }
};

// Binds each point, given in the rest shape, to the tet that contains it, else to the nearest one,
// whose map it then follows outside. The lowest of several equally near tets is taken.
Embedding embed(const TetMesh& mesh, const Points& rest_points);

// Position (or velocity) of embedded point i for those of the mesh.
Vec3 follow(const Embedding& embedding, const TetMesh& mesh, const Points& mesh_values, int i);

}  // namespace dashpot
