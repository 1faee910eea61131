#include "solver/contact/inverse_blocks.h"

#include <algorithm>
#include <numeric>

#include "solver/contact/dense_block.h"

namespace dashpot {
namespace {

constexpr int kInverseColumnsPerSolve = 3;
// Sites come in groups, neighbours in the factor's order and mostly in space: a surrogate is made
// for whole groups, so that it need not be made anew for each vertex that is touched.
constexpr int kSitesPerGroup = 32;
constexpr std::size_t kMostShells = 3;

}  // namespace

InverseBlocks::InverseBlocks(const GlobalMatrix& system, std::vector<int> sites)
    : system_(system), sites_(std::move(sites)), caches_(2) {
  if (!sites_.empty()) return;
  sites_.resize(static_cast<std::size_t>(system.order().free_count));
  std::iota(sites_.begin(), sites_.end(), 0);
}

InverseBlocks::Cache& InverseBlocks::cache() {
  const std::uint64_t stamp = system_.stamp();
  auto found = std::find_if(caches_.begin(), caches_.end(),
                            [stamp](const Cache& cache) { return cache.stamp == stamp; });
  if (found == caches_.end()) {
    found = caches_.end() - 1;
    *found = Cache();
    found->stamp = stamp;
    found->columns.resize(sites_.size());
  }
  std::rotate(caches_.begin(), found, found + 1);
  return caches_.front();
}

int InverseBlocks::site_of(int position) const {
  return static_cast<int>(std::lower_bound(sites_.begin(), sites_.end(), position) -
                          sites_.begin());
}

std::shared_ptr<const InverseBlock> InverseBlocks::at(const std::vector<int>& positions) {
  Cache& known = cache();
  if (known.block && known.positions == positions) return known.block;
  known.positions = positions;
  known.block = static_cast<int>(positions.size()) <= kMostDense ? dense(positions, known)
                                                                 : surrogate(positions, known);
  return known.block;
}

void InverseBlocks::solve_missing(const std::vector<int>& sites, Cache& cache) {
  std::vector<int> missing;
  for (const int site : sites)
    if (cache.columns[site].empty()) missing.push_back(site);
  std::vector<double> step(4 * static_cast<std::size_t>(system_.order().free_count));
  for (std::size_t first = 0; first < missing.size(); first += kInverseColumnsPerSolve) {
    const std::size_t columns =
        std::min<std::size_t>(kInverseColumnsPerSolve, missing.size() - first);
    std::fill(step.begin(), step.end(), 0.0);
    for (std::size_t c = 0; c < columns; ++c)
      step[4 * static_cast<std::size_t>(sites_[missing[first + c]]) + c] = 1;
    system_.solve(step.data());
    ++solves_;
    for (std::size_t c = 0; c < columns; ++c) {
      std::vector<double>& column = cache.columns[missing[first + c]];
      column.reserve(sites_.size());
      for (const int site : sites_) column.push_back(step[4 * static_cast<std::size_t>(site) + c]);
    }
  }
}

std::shared_ptr<const InverseBlock> InverseBlocks::dense(const std::vector<int>& positions,
                                                         Cache& cache) {
  std::vector<int> sites;
  for (const int position : positions) sites.push_back(site_of(position));
  solve_missing(sites, cache);
  const int n = static_cast<int>(sites.size());
  Eigen::MatrixXd inverse(n, n);
  // Two columns have each entry, which differ in rounding: always the same one is taken.
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      inverse(i, j) = inverse(j, i) =
          cache.columns[std::max(sites[i], sites[j])][std::min(sites[i], sites[j])];
  return std::make_shared<DenseBlock>(inverse);
}

std::vector<int> InverseBlocks::with_margin(const std::vector<int>& positions) const {
  const int count = static_cast<int>(sites_.size());
  std::vector<char> touched(static_cast<std::size_t>(count / kSitesPerGroup + 1), 0);
  for (const int position : positions) touched[site_of(position) / kSitesPerGroup] = 1;
  std::vector<int> result;
  for (int site = 0; site < count; ++site)
    if (touched[site / kSitesPerGroup]) result.push_back(sites_[site]);
  return result;
}

std::shared_ptr<const InverseBlock> InverseBlocks::surrogate(const std::vector<int>& positions,
                                                             Cache& cache) {
  const std::vector<int> set = with_margin(positions);
  auto& shells = cache.shells;
  auto found = std::find_if(shells.begin(), shells.end(),
                            [&](const auto& shell) { return shell->positions() == set; });
  if (found == shells.end()) {
    if (shells.size() == kMostShells) shells.pop_back();
    shells.push_back(std::make_shared<ShellFactor>(system_, set));
    solves_ += ShellFactor::kSolves;
    found = shells.end() - 1;
  }
  std::rotate(shells.begin(), found, found + 1);
  std::vector<int> index;
  for (const int position : positions)
    index.push_back(
        static_cast<int>(std::lower_bound(set.begin(), set.end(), position) - set.begin()));
  return std::make_shared<ShellSurrogate>(shells.front(), index);
}

}  // namespace dashpot
