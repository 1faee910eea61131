#pragma once

#include <utility>
#include <vector>

#include "solver/contact/contact_operator.h"
#include "solver/linear/global_matrix.h"

namespace dashpot {

// (A^-1)_ss by a solve with the factor that the system has selected when it is asked.
class SolvedBlock final : public InverseBlock {
 public:
  SolvedBlock(const GlobalMatrix& system, std::vector<int> positions);
  void multiply(const Points& f, int first, int count, Points& u) const override;

 private:
  const GlobalMatrix& system_;
  std::vector<int> positions_;
  mutable std::vector<double> lanes_;
};

}  // namespace dashpot
