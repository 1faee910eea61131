#pragma once

#include <Eigen/Core>
#include <vector>

#include "solver/advice/linear_piece.h"

namespace dashpot {

// What sets a piece swinging from the start, as a field over its points in the frame of its rest
// shape.
struct Excitation {
  enum class Kind {
    kWeight,    // m/s^2; of pinned pieces
    kShape,     // m: where it starts, if that is not its rest shape
    kVelocity,  // m/s, without that of a rigid motion
  };
  Kind kind;
  Eigen::VectorXd field;
};

// rigid: the motions that pins leave to the piece as a whole, see free_rigid_motions(); they are
// taken out. Those that are nothing are left out.
std::vector<Excitation> excitations(const LinearPiece& piece, const Body& body, const Vec3& gravity,
                                    const Eigen::MatrixXd& rigid);

}  // namespace dashpot
