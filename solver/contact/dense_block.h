#pragma once

#include <vector>

#include "solver/contact/contact_operator.h"

namespace dashpot {

// (A^-1)_ss, entry by entry.
class DenseBlock final : public InverseBlock {
 public:
  explicit DenseBlock(const Eigen::MatrixXd& inverse);
  void multiply(const Points& f, int first, int count, Points& u) const override;

 private:
  std::vector<double> panels_;  // four rows at a time, column by column
  mutable std::vector<double> lanes_;
};

}  // namespace dashpot
