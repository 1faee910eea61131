#include "solver/mesh/rest_shape.h"

#include <Eigen/LU>
#include <cassert>
#include <cstddef>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

Mat3 edge_matrix(const Points& x, const Tet& tet) {
  Mat3 edges;
  for (int i = 0; i < 3; ++i) edges.col(i) = x.col(tet[i + 1]) - x.col(tet[0]);
  return edges;
}

}  // namespace

RestShape make_rest_shape(const TetMesh& mesh) {
  RestShape shape;
  shape.inverse_rest_shape.resize(mesh.tets.size());
  shape.volume.resize(mesh.tets.size());
  parallel_each(mesh.tet_count(), 4096, [&](std::ptrdiff_t t) {
    const Mat3 edges = edge_matrix(mesh.rest, mesh.tets[t]);
    shape.inverse_rest_shape[t] = edges.inverse();
    shape.volume[t] = edges.determinant() / 6.0;
  });
  return shape;
}

Mat3 deformation_gradient(const Points& x, const Tet& tet, const Mat3& inverse_rest_shape) {
  return edge_matrix(x, tet) * inverse_rest_shape;
}

std::vector<double> lumped_mass(const TetMesh& mesh, const RestShape& shape,
                                const std::vector<double>& density) {
  assert(density.size() == mesh.tets.size());
  std::vector<double> mass(mesh.rest.cols(), 0.0);
  for (std::size_t t = 0; t < mesh.tets.size(); ++t)
    for (const int p : mesh.tets[t]) mass[p] += 0.25 * density[t] * shape.volume[t];
  return mass;
}

}  // namespace dashpot
