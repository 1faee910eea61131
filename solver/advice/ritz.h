#pragma once

#include <Eigen/Core>
#include <vector>

namespace dashpot {

// Displacements, one per column, and what the stiffness makes of them.
struct Fields {
  Eigen::MatrixXd u, ku;

  Fields operator*(const Eigen::MatrixXd& combination) const {
    return {u * combination, ku * combination};
  }
};
// One after the other; empty ones are left out.
Fields joined(const std::vector<const Fields*>& parts);

// Combinations of fields that vibrate as slowly as can be, orthonormal with the mass.
struct RitzModes {
  Eigen::MatrixXd combination;        // one column per mode
  Eigen::VectorXd squared_frequency;  // (rad/s)^2, ascending
};
RitzModes slowest_combinations(const Fields& fields, const Eigen::VectorXd& mass,
                               Eigen::Index wanted);

}  // namespace dashpot
