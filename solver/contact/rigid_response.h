#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/linear/global_matrix.h"
#include "solver/mesh/mesh_pieces.h"

namespace dashpot {

// A piece of the mesh as a rigid body. The weight of a vertex is its inertia in the stage, kg/s^2,
// so that a force over the total weight is a displacement.
struct RigidPiece {
  bool is_free = false;  // nothing of it is pinned, and it was asked for
  double weight = 0;
  Vec3 center = Vec3::Zero();
  Mat3 inverse_inertia = Mat3::Zero();
};

RigidPiece rigid_piece(const MeshPiece& piece, const std::vector<double>& weight,
                       const std::vector<double>& x);

// Turning about the centre by a small angle `turn` moves a vertex by turn x arm.
inline Mat3 turn_matrix(const Vec3& arm) {
  Mat3 m;
  m << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  return m;
}

// How a body answers to forces within a stage, to first order: the global matrix A takes rotation
// for deformation, and resists it. With R the fields of rotation about the centre, W the inertia, N
// = R^T W R and P = I - R N^-1 R^T W,
//   G = P A^-1 P^T + R N^-1 R^T
// turns as freely as inertia lets it. Pieces that are not free answer with A^-1.
class RigidResponse {
 public:
  RigidResponse(const GlobalMatrix& system, const std::vector<MeshPiece>& pieces);

  // For positions x of the pieces that `wanted` says; the others answer with A^-1.
  void prepare(const std::vector<double>& x, const std::vector<char>& wanted);

  int piece_of(int vertex) const { return piece_of_[static_cast<std::size_t>(vertex) / 4]; }

  // From A^-1 f, for forces f whose sums over a piece are these, to G f.
  struct Sums {
    Vec3 torque = Vec3::Zero();  // R^T f
    Vec3 answer = Vec3::Zero();  // Q^T f, Q = A^-1 W R
  };
  void add(int vertex, const Vec3& force, std::vector<Sums>& sums) const;
  Vec3 extra(int vertex, const std::vector<Sums>& sums) const;
  // G's own block of a vertex, without that of A^-1.
  Mat3 extra_block(int vertex) const;

  // The work of forces (their sum over a piece, and their torque) if the piece were rigid, J/2; 0
  // if it is not free.
  double rigid_work(int piece, const Vec3& force, const Vec3& torque) const;

  std::vector<Sums> no_sums() const { return std::vector<Sums>(pieces_.size()); }

 private:
  Mat3 answer_block(int vertex) const;  // Q at a vertex

  const GlobalMatrix& system_;
  const std::vector<MeshPiece>& pieces_;
  std::vector<int> piece_of_;  // by vertex, -1: none
  std::vector<RigidPiece> rigid_;
  std::vector<Mat3> inner_;  // N^-1 (R^T W Q) N^-1 + N^-1
  std::vector<double> x_;
  std::vector<double> answer_[3];  // columns of Q
};

}  // namespace dashpot
