#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/contact/contact_operator.h"
#include "solver/contact/shell_surrogate.h"
#include "solver/linear/global_matrix.h"

namespace dashpot {

// Inverses of the global matrix on touched vertices: entry by entry for few of them, a surrogate
// for many, and a solve each time for many on a thin body, which has hardly more than them. What
// solves have shown is kept as long as the factor lives. A block is a function of its positions and
// the matrix alone, whatever was asked for before, so that simulations can be resumed and rewound
// bit for bit.
class InverseBlocks {
 public:
  static constexpr int kMostDense = 384;

  // sites: positions of free vertices that may ever be asked for, e.g. of surfaces, ascending;
  // empty: all. The fewer, the less memory.
  explicit InverseBlocks(const GlobalMatrix& system, std::vector<int> sites = {});
  void set_sites(std::vector<int> sites);

  // Of the factor that the system has selected, to be used while it is. Positions in any order,
  // none twice.
  std::shared_ptr<const InverseBlock> at(const std::vector<int>& positions);

  int solves() const { return solves_; }  // with the global matrix, so far
  std::size_t known_columns() const;      // of the selected factor

 private:
  struct Shell {
    std::vector<int> positions;
    std::shared_ptr<const ShellFactor> factor;  // nullptr: not worth it
  };
  struct Cache {
    std::uint64_t stamp = 0;                   // of the factor
    std::vector<std::vector<double>> columns;  // of A^-1 by site, empty if unknown, rows by site
    std::vector<Shell> shells;                 // most recently used first
    std::vector<int> positions;                // of `block`
    std::shared_ptr<const InverseBlock> block;
  };

  Cache& cache();
  int site_of(int position) const;
  void solve_missing(const std::vector<int>& sites, Cache& cache);
  static void forget_others(const std::vector<int>& sites, Cache& cache);
  std::shared_ptr<const InverseBlock> dense(const std::vector<int>& positions, Cache& cache);
  void group_sites();
  std::vector<int> with_margin(const std::vector<int>& positions) const;
  const Shell& shell(std::vector<int> positions, Cache& cache);
  std::shared_ptr<const InverseBlock> surrogate(const std::vector<int>& positions, Cache& cache);

  const GlobalMatrix& system_;
  std::vector<int> sites_;
  // Once they were needed:
  Eigen::SparseMatrix<double> pattern_;  // of the global matrix
  std::vector<int> group_;               // of each site
  std::vector<Cache> caches_;  // most recently used first; an integrator has two factors at most
  int solves_ = 0;
};

}  // namespace dashpot
