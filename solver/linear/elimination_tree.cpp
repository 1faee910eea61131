#include "solver/linear/elimination_tree.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace dashpot {

RowPattern permuted_rows(const Eigen::SparseMatrix<double>& lower, const std::vector<int>& order) {
  const std::size_t n = order.size();
  std::vector<int> position(n);
  for (std::size_t k = 0; k < n; ++k) position[static_cast<std::size_t>(order[k])] = int(k);

  RowPattern pattern;
  pattern.begin.assign(n + 1, 0);
  const auto for_each_entry = [&](auto&& visit) {
    for (int column = 0; column < lower.outerSize(); ++column)
      for (Eigen::SparseMatrix<double>::InnerIterator it(lower, column); it; ++it) {
        const int a = position[static_cast<std::size_t>(it.row())];
        const int b = position[static_cast<std::size_t>(column)];
        if (a != b) visit(static_cast<std::size_t>(std::max(a, b)), std::min(a, b));
      }
  };
  for_each_entry([&](std::size_t row, int) { ++pattern.begin[row + 1]; });
  std::partial_sum(pattern.begin.begin(), pattern.begin.end(), pattern.begin.begin());
  pattern.columns.resize(static_cast<std::size_t>(pattern.begin.back()));
  std::vector<int> next(pattern.begin.begin(), pattern.begin.end() - 1);
  for_each_entry([&](std::size_t row, int column) {
    pattern.columns[static_cast<std::size_t>(next[row]++)] = column;
  });
  return pattern;
}

std::vector<int> elimination_tree(const RowPattern& pattern) {
  const int n = pattern.size();
  std::vector<int> parent(static_cast<std::size_t>(n), -1);
  // Shortcut towards the root of the part of the tree that is known so far.
  std::vector<int> ancestor(static_cast<std::size_t>(n), -1);
  for (int row = 0; row < n; ++row) {
    for (int p = pattern.begin[row]; p < pattern.begin[row + 1]; ++p) {
      int column = pattern.columns[p];
      while (column != -1 && column < row) {
        const int up = ancestor[column];
        ancestor[column] = row;
        if (up == -1) parent[column] = row;
        column = up;
      }
    }
  }
  return parent;
}

std::vector<int> postorder(const std::vector<int>& parent) {
  const int n = static_cast<int>(parent.size());
  std::vector<int> first_child(parent.size(), -1);
  std::vector<int> next_sibling(parent.size(), -1);
  std::vector<int> stack;
  for (int node = n - 1; node >= 0; --node) {
    if (parent[node] == -1) continue;
    next_sibling[node] = first_child[parent[node]];
    first_child[parent[node]] = node;
  }
  std::vector<int> order;
  order.reserve(parent.size());
  for (int root = 0; root < n; ++root) {
    if (parent[root] != -1) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int node = stack.back();
      const int child = first_child[node];
      if (child != -1) {
        first_child[node] = next_sibling[child];
        stack.push_back(child);
      } else {
        order.push_back(node);
        stack.pop_back();
      }
    }
  }
  return order;
}

std::vector<int> column_counts(const RowPattern& pattern, const std::vector<int>& parent) {
  const int n = pattern.size();
  std::vector<int> counts(static_cast<std::size_t>(n), 1);
  std::vector<int> last_row(static_cast<std::size_t>(n), -1);
  // Row i of the factor is the part of the tree between the entries of row i of A and node i.
  for (int row = 0; row < n; ++row) {
    last_row[row] = row;
    for (int p = pattern.begin[row]; p < pattern.begin[row + 1]; ++p) {
      for (int column = pattern.columns[p]; last_row[column] != row; column = parent[column]) {
        last_row[column] = row;
        ++counts[column];
      }
    }
  }
  return counts;
}

}  // namespace dashpot
