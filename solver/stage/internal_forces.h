#pragma once

#include <vector>

#include "solver/base/types.h"
#include "solver/stage/stage_problem.h"

namespace dashpot {

// Forces and power of an island's terms at given positions and velocities. Gradients are minus
// forces, and are written to the columns of the island's points.
class InternalForces {
 public:
  // Works on the arrays of the problem, which must outlive it.
  explicit InternalForces(StageProblem& problem) : problem_(problem) {}

  // Of the elastic energy at x; minus the damping force at velocity v, unless that is nullptr.
  void gradient(const Points& x, const Points* v, Points& gradient);
  // The internal force that generalised forces on local coordinates make: D^T forces.
  void gradient_of(const double* forces, Points& gradient);
  // Adds that of Laplacian damping.
  void add_laplacian_gradient(const Points& x, const Points& v, Points& gradient);
  // The power that each element's damping dissipates, W, written to its place.
  void dissipation(const Points& x, const Points& v, std::vector<double>& power);

 private:
  void gather(Points& gradient) const;
  void add_laplacian_power(std::vector<double>& power);

  StageProblem& problem_;
  std::vector<double> velocity_;
};

}  // namespace dashpot
