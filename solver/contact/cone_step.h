#pragma once

#include "solver/contact/cone_problem.h"
#include "solver/contact/contact_operator.h"
#include "solver/contact/lumped_preconditioner.h"

namespace dashpot {

// A Newton step of a round: (I + H W) d = P_K(p) - f with H the derivative of P_K(p) by y. Split
// into what is in the range of H (projector Pi) and what is not, R = R_P + R_C,
//   (H^-1 + Pi W Pi) z = H^-1 R_P - Pi W R_C,   d = R_C + z,
// because d = R - H W d cancels.
struct ConeStep {
  Points step, image;  // d and W d
  int products = 0;

  // By conjugate gradients, to `forcing` of the right-hand side. R_C is left as it is where all of
  // it is below `negligible`, m.
  void solve(const ConeProblem& problem, const ContactOperator& w,
             const LumpedPreconditioner& preconditioner, double forcing, double negligible);
  // By a factor of the whole matrix; w: ContactOperator::dense().
  void solve(const ConeProblem& problem, const Eigen::MatrixXd& w);
};

}  // namespace dashpot
