#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/base/types.h"
#include "solver/linear/global_matrix.h"
#include "solver/mesh/mesh_pieces.h"

namespace dashpot {

// A piece of the mesh as a rigid body.
struct RigidPiece {
  bool is_free = false;  // nothing of it is pinned
  double weight = 0;
  Vec3 center = Vec3::Zero();
  Mat3 inverse_inertia = Mat3::Zero();
};

// weight: of each free vertex; a mass, or its inertia in a stage, kg/s^2.
RigidPiece rigid_piece(const MeshPiece& piece, const std::vector<double>& weight,
                       const std::vector<double>& x);

// Turning about the centre by a small angle `turn` moves a vertex by turn x arm.
inline Mat3 turn_matrix(const Vec3& arm) {
  Mat3 m;
  m << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  return m;
}

// How a connected piece answers to forces within a stage, to first order: the global matrix A takes
// rotation for deformation, and resists it. With R the fields of rotation about the centre, W the
// inertia, N = R^T W R and P = I - R N^-1 R^T W,
//   G = P A^-1 P^T + R N^-1 R^T = A^-1 + [R Q] K [R Q]^T,  Q = A^-1 W R,
//   K = [N^-1 R^T W Q N^-1 + N^-1, -N^-1; -N^-1, 0],
// turns as freely as inertia lets it. A piece that is not free answers with A^-1.
class RigidResponse {
 public:
  using Columns = Eigen::Matrix<double, 3, 6>;
  using Middle = Eigen::Matrix<double, 6, 6>;

  // Both must outlive it.
  RigidResponse(const GlobalMatrix& matrix, const MeshPiece& piece)
      : matrix_(matrix), piece_(piece) {}

  // For positions x, with the selected factor; turns: whether rotation is free at all.
  void prepare(const std::vector<double>& x, bool turns);

  bool is_free() const { return rigid_.is_free; }
  // u = A^-1 f becomes G f; four doubles per free vertex.
  void add_turning(const double* f, double* u) const;
  // [R Q] at a vertex, and K.
  Columns columns(int vertex) const;
  const Middle& middle() const { return middle_; }

 private:
  const GlobalMatrix& matrix_;
  const MeshPiece& piece_;
  RigidPiece rigid_;
  Middle middle_ = Middle::Zero();
  std::vector<double> x_;
  std::vector<double> answer_[3];  // columns of Q
};

}  // namespace dashpot
