#pragma once

#include <memory>
#include <vector>

#include "solver/advice/linear_piece.h"
#include "solver/advice/ritz.h"

namespace dashpot {

// Finds vibrations of a piece: first among smooth trial fields, then among all.
class ModeSearch {
 public:
  // hints: more trial fields.
  ModeSearch(const LinearPiece& piece, Eigen::MatrixXd rigid, const Eigen::MatrixXd& hints);

  // False if all of the piece is pinned.
  bool has_modes() const { return trial_.cols() > 0; }

  // The slowest mode, normalised with the mass: of the trial fields, or, once it is refined, of
  // all.
  double slowest_frequency() const;  // Hz
  Eigen::VectorXd slowest_mode() const { return modes_.u.col(0); }
  // True if it is known to some percent now; false if it turned out to be below `enough` (Hz), or
  // does not settle.
  bool refine_slowest(double enough);

  // The displacement u that forces M e hold in place, K u = M e: of the trial fields, or of all.
  Eigen::VectorXd trial_response(const Eigen::VectorXd& e) const;
  Eigen::VectorXd response(const Eigen::VectorXd& e);

  // Of the vibration that begins with a displacement, Hz.
  double frequency_of(const Eigen::VectorXd& displacement) const;

 private:
  class Preconditioner;

  // Without rigid motion; stiff: the piece, or what stands for it.
  Fields make_fields(const LinearPiece& stiff, Eigen::MatrixXd u) const;
  Preconditioner& preconditioner();
  void improve(const Fields& additions);

  const LinearPiece& piece_;
  Eigen::MatrixXd rigid_;
  Eigen::MatrixXd trial_;  // modes among trial fields
  Eigen::VectorXd trial_squared_;
  Fields modes_, change_;
  Eigen::VectorXd squared_;  // (rad/s)^2
  std::shared_ptr<Preconditioner> preconditioner_;
};

}  // namespace dashpot
