#include "solver/linear/symbolic_factor.h"

#include <algorithm>
#include <numeric>

#include "solver/linear/elimination_tree.h"
#include "solver/linear/ordering.h"
#include "solver/linear/supernodes.h"

namespace dashpot {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;

std::vector<int> compose(const std::vector<int>& order, const std::vector<int>& then) {
  std::vector<int> result(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) result[k] = order[then[k]];
  return result;
}

std::vector<int> supernode_of_column(const SymbolicFactor& factor) {
  std::vector<int> owner(factor.size);
  for (int s = 0; s < factor.count(); ++s)
    std::fill(owner.begin() + factor.first_column[s], owner.begin() + factor.first_column[s + 1],
              s);
  return owner;
}

// Row i is in every supernode between those of its matrix entries and its own, exclusively.
template <class Visit>
void visit_row_subtrees(const RowPattern& pattern, const std::vector<int>& owner,
                        const std::vector<int>& parent, const Visit& visit) {
  std::vector<int> last_row(parent.size(), -1);
  for (int row = 0; row < pattern.size(); ++row) {
    last_row[owner[row]] = row;
    for (int p = pattern.begin[row]; p < pattern.begin[row + 1]; ++p) {
      for (int s = owner[pattern.columns[p]]; last_row[s] != row; s = parent[s]) {
        last_row[s] = row;
        visit(s, row);
      }
    }
  }
}

void find_rows(const RowPattern& pattern, const std::vector<int>& owner, SymbolicFactor& factor) {
  factor.row_begin.assign(factor.count() + 1, 0);
  visit_row_subtrees(pattern, owner, factor.parent, [&](int s, int) { ++factor.row_begin[s + 1]; });
  std::partial_sum(factor.row_begin.begin(), factor.row_begin.end(), factor.row_begin.begin());
  factor.rows.resize(factor.row_begin.back());
  std::vector<std::size_t> next(factor.row_begin.begin(), factor.row_begin.end() - 1);
  visit_row_subtrees(pattern, owner, factor.parent,
                     [&](int s, int row) { factor.rows[next[s]++] = row; });
}

void find_descendants(SymbolicFactor& factor) {
  factor.first_descendant.resize(factor.count());
  std::iota(factor.first_descendant.begin(), factor.first_descendant.end(), 0);
  for (int s = 0; s < factor.count(); ++s) {
    if (factor.parent[s] == -1) continue;
    int& first = factor.first_descendant[factor.parent[s]];
    first = std::min(first, factor.first_descendant[s]);
  }
}

// Place of (row, column) in the panel of the supernode that owns the column.
std::size_t panel_place(const SymbolicFactor& factor, int s, int row, int column) {
  const int first = factor.first_column[s], width = factor.width(s);
  int local_row = row - first;
  if (local_row >= width) {
    const int* rows = factor.rows_of(s);
    local_row =
        width + static_cast<int>(std::lower_bound(rows, rows + factor.below(s), row) - rows);
  }
  return static_cast<std::size_t>(column - first) * (width + factor.below(s)) + local_row;
}

void place_entries(const SparseMatrix& lower, const std::vector<int>& owner,
                   SymbolicFactor& factor) {
  std::vector<int> position(factor.size);
  for (int k = 0; k < factor.size; ++k) position[factor.order[k]] = k;

  const auto for_each_entry = [&](auto&& visit) {
    for (int j = 0; j < factor.size; ++j) {
      for (int e = factor.outer[j]; e < factor.outer[j + 1]; ++e) {
        const int a = position[factor.inner[e]], b = position[j];
        visit(e, std::max(a, b), std::min(a, b));
      }
    }
  };
  factor.entry_begin.assign(factor.count() + 1, 0);
  for_each_entry([&](int, int, int column) { ++factor.entry_begin[owner[column] + 1]; });
  std::partial_sum(factor.entry_begin.begin(), factor.entry_begin.end(),
                   factor.entry_begin.begin());
  factor.entries.resize(static_cast<std::size_t>(lower.nonZeros()));
  std::vector<std::size_t> next(factor.entry_begin.begin(), factor.entry_begin.end() - 1);
  for_each_entry([&](int e, int row, int column) {
    const int s = owner[column];
    factor.entries[next[s]++] = {e, panel_place(factor, s, row, column)};
  });
}

}  // namespace

std::size_t SymbolicFactor::nonzeros() const {
  std::size_t sum = 0;
  for (int s = 0; s < count(); ++s) {
    const std::size_t k = width(s);
    sum += k * (k + 1) / 2 + k * below(s);
  }
  return sum;
}

SymbolicFactor analyze_pattern(const SparseMatrix& lower) {
  SymbolicFactor factor;
  factor.size = static_cast<int>(lower.rows());
  factor.outer.assign(lower.outerIndexPtr(), lower.outerIndexPtr() + lower.outerSize() + 1);
  factor.inner.assign(lower.innerIndexPtr(), lower.innerIndexPtr() + lower.nonZeros());

  factor.order = fill_reducing_order(lower);
  {
    const auto tree = elimination_tree(permuted_rows(lower, factor.order));
    factor.order = compose(factor.order, postorder(tree));
  }
  {
    const RowPattern pattern = permuted_rows(lower, factor.order);
    const auto tree = elimination_tree(pattern);
    Supernodes supernodes = find_supernodes(tree, column_counts(pattern, tree));
    factor.order = compose(factor.order, supernodes.order);
    factor.first_column = std::move(supernodes.first_column);
    factor.parent = std::move(supernodes.parent);
  }
  const std::vector<int> owner = supernode_of_column(factor);
  find_rows(permuted_rows(lower, factor.order), owner, factor);
  find_descendants(factor);
  place_entries(lower, owner, factor);
  return factor;
}

}  // namespace dashpot
