#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "solver/contact/contact_operator.h"
#include "solver/contact/contact_plane.h"
#include "solver/contact/coulomb_cone.h"
#include "solver/contact/lumped_preconditioner.h"

namespace dashpot {

struct ConeSettings {
  double tolerance = 1e-9;    // m
  double unseen = 0;          // m: what rounds that get nowhere may leave
  double proximal = 1;        // eps: the law is softened by eps q around the forces of each round
  double least_proximal = 1;  // what eps may fall to where rounds get nowhere
  int newton = 4;             // steps of a round
  int rounds = 2;
  double forcing = 1e-2;  // to what share linear systems are solved
};

struct ConeResult {
  double residual = 0;  // of Coulomb's law, m
  int newton = 0, products = 0;
};

// Coulomb's law for all contacts at once, exactly, in a metric: with y = D x moving by W times the
// change of forces,
//   K ∋ f  ⟂  u + s n ∈ K*,   s = mu |u_T|    (de Saxce and Feng 1998)
// Each round fixes s and the forces f^ it begins with, and minimises the proximal augmented
// Lagrangian, which is convex and once differentiable, by semi-smooth Newton steps:
//   f = P_K(p),   p = f^ - (u + s n) / (eps q).
// Keeps factors from call to call; within the tolerance, the solution depends on them.
class ConeSolver {
 public:
  // compliance: q = sum_a b_a^2 / A_aa of each row; 0: nothing can move. touched: A_ss, lower
  // triangle, all slots. slip: s of the rows, written only. y: D x with `force` on entry, D x with
  // the new forces on return.
  ConeResult solve(const std::vector<ContactPlane>& planes, const std::vector<double>& compliance,
                   const ContactOperator& w, const Eigen::SparseMatrix<double>& touched,
                   const ConeSettings& settings, std::vector<double>& slip, Points& y,
                   Points& force);

  // What follows is the same, bit for bit, as from a new solver. For the begin of a step, so that
  // steps can be repeated.
  void restart();

  int factorizations() const { return preconditioner_.factorizations(); }  // so far

 private:
  LumpedPreconditioner preconditioner_;
  std::vector<ConeProjection> faces_;  // of the last solution
};

}  // namespace dashpot
