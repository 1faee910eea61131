#include "solver/contact/delassus_matrix.h"

#include <algorithm>

#include "solver/base/parallel.h"

namespace dashpot {
namespace {

constexpr int kColumnsPerSolve = 3;
constexpr std::ptrdiff_t kRowsPerChunk = 16;

}  // namespace

DelassusMatrix::DelassusMatrix(const GlobalMatrix& system, const std::vector<ContactVertex>& sites)
    : system_(system), sites_(sites), caches_(2) {
  for (Cache& cache : caches_) cache.columns.resize(sites.size());
}

DelassusMatrix::Cache& DelassusMatrix::cache() {
  const std::uint64_t stamp = system_.stamp();
  auto found = std::find_if(caches_.begin(), caches_.end(),
                            [stamp](const Cache& cache) { return cache.stamp == stamp; });
  if (found == caches_.end()) {
    found = caches_.end() - 1;
    found->stamp = stamp;
    for (auto& column : found->columns) column.clear();
  }
  std::rotate(caches_.begin(), found, found + 1);
  return caches_.front();
}

void DelassusMatrix::solve_missing(Cache& cache) {
  std::vector<int> missing;
  for (const int site : selected_)
    if (cache.columns[site].empty()) missing.push_back(site);
  step_.resize(4 * static_cast<std::size_t>(system_.order().free_count));
  for (std::size_t first = 0; first < missing.size(); first += kColumnsPerSolve) {
    const int columns =
        static_cast<int>(std::min<std::size_t>(kColumnsPerSolve, missing.size() - first));
    std::fill(step_.begin(), step_.end(), 0.0);
    for (int c = 0; c < columns; ++c)
      step_[static_cast<std::size_t>(sites_[missing[first + c]].vertex) + c] = 1;
    system_.solve(step_.data());
    for (int c = 0; c < columns; ++c) {
      std::vector<double>& column = cache.columns[missing[first + c]];
      column.resize(sites_.size());
      for (std::size_t s = 0; s < sites_.size(); ++s)
        column[s] = step_[static_cast<std::size_t>(sites_[s].vertex) + c];
    }
  }
}

void DelassusMatrix::select(const std::vector<int>& sites) {
  if (sites == selected_ && system_.stamp() == selected_stamp_) return;
  selected_ = sites;
  selected_stamp_ = system_.stamp();
  Cache& known = cache();
  solve_missing(known);
  const std::size_t n = sites.size();
  matrix_.resize(n * n);
  parallel_each(static_cast<std::ptrdiff_t>(n), kRowsPerChunk, [&](std::ptrdiff_t i) {
    const std::vector<double>& column = known.columns[sites[i]];
    for (std::size_t j = 0; j < n; ++j) matrix_[i * n + j] = column[sites[j]];
  });
}

}  // namespace dashpot
