#pragma once

#include <cstdint>
#include <vector>

#include "solver/contact/collision_detector.h"
#include "solver/linear/global_matrix.h"

namespace dashpot {

// How far forces on contact sites move contact sites: columns of the inverse of the global matrix,
// each solved for when its site first touches something and kept as long as the factor lives.
class DelassusMatrix {
 public:
  DelassusMatrix(const GlobalMatrix& system, const std::vector<ContactVertex>& sites);

  // The sites from now on, in this order; of the factor that the system has selected.
  void select(const std::vector<int>& sites);

  int count() const { return static_cast<int>(selected_.size()); }
  // Row i of the symmetric matrix between selected sites, m/N.
  const double* row(int i) const { return &matrix_[static_cast<std::size_t>(i) * count()]; }

 private:
  struct Cache {
    std::uint64_t stamp = 0;                   // of the factor
    std::vector<std::vector<double>> columns;  // by site, empty if unknown; entries by site
  };

  Cache& cache();
  void solve_missing(Cache& cache);

  const GlobalMatrix& system_;
  const std::vector<ContactVertex>& sites_;
  std::vector<Cache> caches_;  // most recently used first; an integrator has two factors at most
  std::vector<int> selected_;
  std::uint64_t selected_stamp_ = 0;
  std::vector<double> matrix_, step_;
};

}  // namespace dashpot
