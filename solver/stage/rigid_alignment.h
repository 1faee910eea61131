#pragma once

#include <utility>
#include <vector>

#include "solver/base/types.h"
#include "solver/mesh/mesh_pieces.h"

namespace dashpot {

// The stage's objective over rigid rotations of a piece alone: energies of its shape do not change,
// so what is left is the distance from the target positions of inertia, whose minimum is known
// (Procrustes). ADMM finds it too, but for stiff bodies in steps far below any tolerance on the
// mismatch of deformations, and what it misses brakes or drives the spin.
//
// Pieces turn about their centre if nothing is pinned, about a single pinned point, or about the
// line of the pinned points.
class RigidAlignment {
 public:
  explicit RigidAlignment(std::vector<MeshPiece> pieces) : pieces_(std::move(pieces)) {}

  const std::vector<MeshPiece>& pieces() const { return pieces_; }

  // target, x: four doubles per vertex; weight: of each free vertex, kg/s^2.
  void align(const std::vector<double>& target, const std::vector<double>& weight,
             std::vector<double>& x) const;

 private:
  std::vector<MeshPiece> pieces_;
};

}  // namespace dashpot
