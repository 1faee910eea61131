#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/base/types.h"
#include "solver/elements/element_set.h"
#include "solver/linear/global_matrix.h"
#include "solver/stage/island.h"

namespace dashpot {

// Damping with a constant matrix (Li, Liu and Kavan 2018): the force on velocities v is -D v with D
// = a L and L = sum of 2 mu V G^T G over tets, where G maps positions to the deformation gradient:
// every tet resists changes of its deformation gradient in proportion to its shear modulus.
//
// L also resists rotation. With `conserve_angular`, v is first rid of the rigid rotation of its
// connected piece of the mesh, D' = (I - P)^T D (I - P), so that the force has no torque about the
// piece's centre of mass: an update of rank six per piece to the prefactored matrix.
//
// Arrays hold four doubles per vertex in the solver's order.
class LaplacianDamping {
 public:
  // coefficients: a 2 mu V of each element of all sets, N s m; empty: there is none. mass: of each
  // vertex in the solver's order.
  LaplacianDamping(const Elements& elements, const Island& island,
                   const std::vector<double>& coefficients, bool conserve_angular,
                   const std::vector<double>& mass, const std::vector<MeshPiece>& pieces);

  bool is_active() const { return !column_.empty(); }
  bool is_projected() const { return projected_; }

  // Rigid rotations are from now on those of positions x.
  void set_frame(const double* x);

  // forces -= D' u, for all vertices.
  void subtract_forces(const double* u, double* forces);

  // Before correct(): `system` is selected for h and has D as its damping.
  void prepare_correction(double h, const GlobalMatrix& system);
  // From the solution with D to that with D'.
  void correct(double* step) const;

  // u without the rigid rotation of each piece.
  void remove_rotation(double* u) const;

 private:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;

  // A connected piece of the mesh.
  struct Piece {
    std::vector<int> vertices, free_vertices;  // times four
    Vec3 center = Vec3::Zero();
    Mat3 inverse_inertia = Mat3::Zero();
    Matrix6 inverse_update = Matrix6::Zero();
  };

  void assemble(const Elements& elements, const Island& island,
                const std::vector<double>& coefficients);
  int vertex_count() const { return static_cast<int>(mass_.size()); }
  void apply(const double* u, double* result) const;  // D u, all vertices
  void set_inertia(const double* x, Piece& piece) const;
  Vec3 torque(const Piece& piece, const double* forces) const;
  Vec3 spin(const Piece& piece, const double* u) const;  // rad per unit of u
  Vector6 dot_columns(const Piece& piece, const double* y) const;

  bool projected_;
  std::vector<double> mass_;         // by position
  std::vector<int> start_, column_;  // rows of D; columns times four
  std::vector<double> value_;        // N s/m
  std::vector<Piece> pieces_;        // only if projected, as are those below
  std::vector<double> arm_;          // from the piece's centre
  std::vector<double> relative_, force_;
  std::vector<double> columns_[6], solved_[6];  // V = [D R, M R N^-1] and A^-1 V
};

}  // namespace dashpot
