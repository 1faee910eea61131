#pragma once

#include "solver/contact/cone_problem.h"
#include "solver/contact/contact_operator.h"
#include "solver/contact/lumped_preconditioner.h"

namespace dashpot {

// A Newton step of a round: (I + H W) d = P_K(p) - f with H the derivative of P_K(p) by y. Split
// into what is in the range of H (projector Pi) and what is not, R = R_P + R_C,
//   (H^-1 + Pi W Pi) z = H^-1 R_P - Pi W R_C,   d = R_C + z,
// because d = R - H W d cancels.
class ConeStep {
 public:
  const Points& step() const { return step_; }    // d
  const Points& image() const { return image_; }  // W d
  int products() const { return products_; }      // so far

  // The image of R_C, which the step begins with. Returns how far it moves a row, m: what is to be
  // dropped of the forces of a stiff body may be little for each row and hold the whole of it.
  double begin(const ConeProblem& problem, const ContactOperator& w);
  // low_rank: ContactOperator::low_rank_part(), which the preconditioner does not know.
  // By conjugate gradients, to `forcing` of the problem's residual. False: they are so already.
  bool solve(const ConeProblem& problem, const ContactOperator& w,
             const LumpedPreconditioner& preconditioner, const Eigen::MatrixXd& low_rank,
             double forcing);
  // By a factor of the whole matrix; w: ContactOperator::dense().
  bool solve(const ConeProblem& problem, const Eigen::MatrixXd& w);

 private:
  Points step_, image_;
  int products_ = 0;
};

}  // namespace dashpot
