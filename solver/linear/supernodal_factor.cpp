#include "solver/linear/supernodal_factor.h"

#include <Eigen/Core>
#include <limits>
#include <vector>

#include "solver/base/parallel.h"
#include "solver/linear/dense_front.h"

namespace dashpot {
namespace {

// Subtrees with less arithmetic than this are not split further into tasks.
constexpr double kTaskFlops = 1e6;

class Factorization {
 public:
  Factorization(const SymbolicFactor& factor, const double* values, FactorTiles& tiles);
  int run();

 private:
  void factor_subtree(int s);
  void eliminate(int s);
  void add_update(int child, int s, Eigen::MatrixXd& panel);

  const SymbolicFactor& factor_;
  const double* values_;
  FactorTiles& tiles_;
  std::vector<int> roots_;
  std::vector<std::vector<int>> children_;
  std::vector<double> subtree_flops_;
  std::vector<Eigen::MatrixXd> updates_;  // of supernodes whose parent is not yet eliminated
  std::vector<int> bad_column_;           // per supernode, -1 if all is well
};

Factorization::Factorization(const SymbolicFactor& factor, const double* values, FactorTiles& tiles)
    : factor_(factor),
      values_(values),
      tiles_(tiles),
      children_(factor.count()),
      subtree_flops_(factor.count()),
      updates_(factor.count()),
      bad_column_(factor.count(), -1) {
  for (int s = 0; s < factor.count(); ++s) {
    const double width = factor.width(s), rows = width + factor.below(s);
    subtree_flops_[s] += width * rows * rows;
    if (factor.parent[s] == -1) {
      roots_.push_back(s);
    } else {
      children_[factor.parent[s]].push_back(s);
      subtree_flops_[factor.parent[s]] += subtree_flops_[s];
    }
  }
}

int Factorization::run() {
  parallel_each(static_cast<std::ptrdiff_t>(roots_.size()), 1,
                [&](std::ptrdiff_t i) { factor_subtree(roots_[i]); });
  for (int s = 0; s < factor_.count(); ++s)
    if (bad_column_[s] != -1) return factor_.first_column[s] + bad_column_[s];
  return -1;
}

void Factorization::factor_subtree(int s) {
  if (subtree_flops_[s] < kTaskFlops) {
    for (int d = factor_.first_descendant[s]; d <= s; ++d) eliminate(d);
    return;
  }
  const auto& children = children_[s];
  parallel_each(static_cast<std::ptrdiff_t>(children.size()), 1,
                [&](std::ptrdiff_t i) { factor_subtree(children[i]); });
  eliminate(s);
}

void Factorization::eliminate(int s) {
  const int width = factor_.width(s), below = factor_.below(s), rows = width + below;
  Eigen::MatrixXd panel = Eigen::MatrixXd::Zero(rows, width);
  for (std::size_t e = factor_.entry_begin[s]; e < factor_.entry_begin[s + 1]; ++e)
    panel.data()[factor_.entries[e].place] = values_[factor_.entries[e].source];
  // On singular Laplacians of 27 to 8000 rows, rounding leaves pivots of up to a tenth of this.
  const Eigen::VectorXd smallest_pivot =
      factor_.size * std::numeric_limits<double>::epsilon() * panel.diagonal();

  updates_[s].setZero(below, below);
  for (const int child : children_[s]) {
    add_update(child, s, panel);
    updates_[child].resize(0, 0);
  }
  bad_column_[s] = eliminate_front(panel, updates_[s], smallest_pivot);
  tiles_.pack(s, rows, width, panel.data());
}

void Factorization::add_update(int child, int s, Eigen::MatrixXd& panel) {
  const Eigen::MatrixXd& update = updates_[child];
  const int size = factor_.below(child);
  const int first = factor_.first_column[s], width = factor_.width(s);
  const int* child_rows = factor_.rows_of(child);
  const int* rows = factor_.rows_of(s);

  // Both row lists ascend, and every row of the child is a row of the front.
  std::vector<int> local(size);
  for (int i = 0, at = 0; i < size; ++i) {
    if (child_rows[i] < first + width) {
      local[i] = child_rows[i] - first;
    } else {
      while (rows[at] != child_rows[i]) ++at;
      local[i] = width + at;
    }
  }
  Eigen::MatrixXd& trailing = updates_[s];
  for (int j = 0; j < size; ++j) {
    const bool in_panel = local[j] < width;
    double* column = in_panel ? &panel(0, local[j]) : &trailing(0, local[j] - width);
    const int first_row = in_panel ? 0 : width;
    const double* from = &update(0, j);
    for (int i = j; i < size; ++i) column[local[i] - first_row] += from[i];
  }
}

}  // namespace

int factorize_supernodes(const SymbolicFactor& factor, const double* values, FactorTiles& tiles) {
  return Factorization(factor, values, tiles).run();
}

}  // namespace dashpot
