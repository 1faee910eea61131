#pragma once

#include <Eigen/SparseCore>
#include <vector>

namespace dashpot {

// Pattern of the strict lower triangle by rows: row i has the columns
// columns[begin[i]] .. columns[begin[i + 1] - 1], all smaller than i.
struct RowPattern {
  std::vector<int> begin;
  std::vector<int> columns;

  int size() const { return static_cast<int>(begin.size()) - 1; }
};

// The pattern of P A P^T, where order[k] is the row of A at position k.
RowPattern permuted_rows(const Eigen::SparseMatrix<double>& lower, const std::vector<int>& order);

// parent[j]: the first row below the diagonal in column j of the Cholesky factor, -1 if none.
std::vector<int> elimination_tree(const RowPattern& pattern);

// The nodes of a forest (parent[j] is -1 or another node) listed so that each comes after all its
// descendants and every subtree is contiguous.
std::vector<int> postorder(const std::vector<int>& parent);

// Number of entries in each column of the Cholesky factor, the diagonal included.
std::vector<int> column_counts(const RowPattern& pattern, const std::vector<int>& parent);

}  // namespace dashpot
