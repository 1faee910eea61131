#include "solver/linear/ordering.h"

#include <metis.h>

#include <Eigen/OrderingMethods>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <stdexcept>

namespace dashpot {
namespace {

// Below this many rows minimum degree gives the same fill as nested dissection in a fifth of the
// time; above it nested dissection saves a quarter to a third of the factor.
constexpr int kNestedDissectionRows = 3000;

using SparseMatrix = Eigen::SparseMatrix<double>;

std::vector<int> minimum_degree(const SparseMatrix& lower) {
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(lower.selfadjointView<Eigen::Lower>(), order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

struct Graph {
  std::vector<idx_t> begin;
  std::vector<idx_t> neighbours;
};

Graph adjacency(const SparseMatrix& lower) {
  Graph graph;
  graph.begin.assign(static_cast<std::size_t>(lower.rows()) + 1, 0);
  const auto for_each_edge = [&](auto&& visit) {
    for (int column = 0; column < lower.outerSize(); ++column)
      for (SparseMatrix::InnerIterator it(lower, column); it; ++it)
        if (it.row() > column) visit(static_cast<std::size_t>(it.row()), std::size_t(column));
  };
  for_each_edge([&](std::size_t a, std::size_t b) {
    ++graph.begin[a + 1];
    ++graph.begin[b + 1];
  });
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  graph.neighbours.resize(static_cast<std::size_t>(graph.begin.back()));
  std::vector<idx_t> next(graph.begin.begin(), graph.begin.end() - 1);
  for_each_edge([&](std::size_t a, std::size_t b) {
    graph.neighbours[static_cast<std::size_t>(next[a]++)] = static_cast<idx_t>(b);
    graph.neighbours[static_cast<std::size_t>(next[b]++)] = static_cast<idx_t>(a);
  });
  return graph;
}

std::vector<int> nested_dissection(const SparseMatrix& lower) {
  Graph graph = adjacency(lower);
  idx_t rows = static_cast<idx_t>(lower.rows());
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> order(static_cast<std::size_t>(rows));
  std::vector<idx_t> position(static_cast<std::size_t>(rows));
  // METIS draws from the process-wide rand(), so two analyses at once would disturb each other.
  static std::mutex metis_mutex;
  const std::lock_guard<std::mutex> lock(metis_mutex);
  const int status = METIS_NodeND(&rows, graph.begin.data(), graph.neighbours.data(), nullptr,
                                  options, order.data(), position.data());
  if (status != METIS_OK)
    throw std::runtime_error("METIS could not order a matrix of " + std::to_string(rows) +
                             " rows (status " + std::to_string(status) + ").");
  return {order.begin(), order.end()};
}

bool is_diagonal(const SparseMatrix& lower) {
  for (int column = 0; column < lower.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(lower, column); it; ++it)
      if (it.row() != column) return false;
  return true;
}

}  // namespace

std::vector<int> fill_reducing_order(const SparseMatrix& lower) {
  // METIS does not accept a graph without edges.
  if (is_diagonal(lower)) {
    std::vector<int> order(static_cast<std::size_t>(lower.rows()));
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  return lower.rows() < kNestedDissectionRows ? minimum_degree(lower) : nested_dissection(lower);
}

}  // namespace dashpot
