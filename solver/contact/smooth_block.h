#pragma once

#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// V V^T of a V with a row for each slot and some dozens of columns, the same for x, y and z.
class SmoothBlock {
 public:
  // index: row of v of each slot.
  SmoothBlock(const Eigen::MatrixXd& v, const std::vector<int>& index);

  // Columns of u from `first` on += V V^T times those of f.
  void add(const Points& f, int first, Points& u) const;

 private:
  const double* row(int panel, std::ptrdiff_t slot) const;

  int count_, panels_;
  std::vector<double> values_;  // some columns at a time (a panel), slot by slot
};

}  // namespace dashpot
