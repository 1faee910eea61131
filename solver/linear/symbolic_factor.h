#pragma once

#include <Eigen/SparseCore>
#include <cstddef>
#include <vector>

namespace dashpot {

// Where every entry of the factor will be, known from the sparsity pattern alone.
//
// Supernode s is a dense trapezoid: the columns first_column[s] .. first_column[s + 1] - 1, whose
// rows are those same columns (the diagonal block) and below them rows_of(s). Supernodes are
// postordered, so that the descendants of s are first_descendant[s] .. s - 1.
struct SymbolicFactor {
  int size = 0;
  std::vector<int> order;         // original row at factor position k
  std::vector<int> first_column;  // per supernode, plus the end
  std::vector<std::size_t> row_begin;
  std::vector<int> rows;  // rows below the diagonal blocks, ascending within a supernode
  std::vector<int> parent;
  std::vector<int> first_descendant;

  // Entry e of the matrix (in the order of its value array) goes to place `place` of supernode
  // s's column-major (width + below) x width panel: entries[entry_begin[s]] ...
  struct Entry {
    int source;
    std::size_t place;
  };
  std::vector<std::size_t> entry_begin;
  std::vector<Entry> entries;

  // The analysed pattern, to recognise a matrix that does not fit.
  std::vector<int> outer, inner;

  int count() const { return static_cast<int>(parent.size()); }
  int width(int s) const { return first_column[s + 1] - first_column[s]; }
  int below(int s) const { return static_cast<int>(row_begin[s + 1] - row_begin[s]); }
  const int* rows_of(int s) const { return rows.data() + row_begin[s]; }
  // Entries of the trapezoid.
  double work(int s) const { return width(s) * (0.5 * (width(s) + 1) + below(s)); }
  std::size_t nonzeros() const;
};

// `lower` must be compressed and hold nothing above the diagonal.
SymbolicFactor analyze_pattern(const Eigen::SparseMatrix<double>& lower);

}  // namespace dashpot
