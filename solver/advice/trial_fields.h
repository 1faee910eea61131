#pragma once

#include <Eigen/Core>

#include "solver/advice/linear_piece.h"

namespace dashpot {

// Rigid motions that the pins leave to a piece, orthonormal with its mass: six, or fewer, or none.
Eigen::MatrixXd free_rigid_motions(const LinearPiece& piece);

// Smooth displacements, one per column, that the slowest vibrations look like: stretches, bends and
// twists of the whole piece.
Eigen::MatrixXd trial_fields(const LinearPiece& piece);

}  // namespace dashpot
