#include "solver/contact/inverse_blocks.h"

#include <algorithm>
#include <numeric>

#include "solver/contact/dense_block.h"
#include "solver/contact/solved_block.h"

namespace dashpot {
namespace {

constexpr int kInverseColumnsPerSolve = 3;
// Neighbouring sites form groups: a surrogate is made for whole groups, so that it need not be made
// anew for each vertex that is touched.
constexpr std::size_t kSitesPerGroup = 16;
constexpr std::size_t kMostShells = 3;
// A shell with this share of the vertices costs about as much as the whole.
constexpr double kThin = 0.4;

}  // namespace

InverseBlocks::InverseBlocks(const GlobalMatrix& system, std::vector<int> sites) : system_(system) {
  if (sites.empty()) {
    sites.resize(static_cast<std::size_t>(system.order().free_count));
    std::iota(sites.begin(), sites.end(), 0);
  }
  set_sites(std::move(sites));
}

void InverseBlocks::set_sites(std::vector<int> sites) {
  sites_ = std::move(sites);
  group_.clear();
  caches_.assign(2, {});
}

std::size_t InverseBlocks::known_columns() const {
  for (const Cache& cache : caches_)
    if (cache.stamp == system_.stamp())
      return static_cast<std::size_t>(
          std::count_if(cache.columns.begin(), cache.columns.end(),
                        [](const auto& column) { return !column.empty(); }));
  return 0;
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
  if (missing.empty()) return;
  if (known_columns() + missing.size() > static_cast<std::size_t>(kMostDense))
    forget_others(sites, cache);
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

// Of a body that rolls, columns of all that it ever touched would be as many as its surface has
// vertices, each as long.
void InverseBlocks::forget_others(const std::vector<int>& sites, Cache& cache) {
  std::vector<std::vector<double>> kept(cache.columns.size());
  for (const int site : sites) kept[site].swap(cache.columns[site]);
  cache.columns.swap(kept);
}

std::shared_ptr<const InverseBlock> InverseBlocks::dense(const std::vector<int>& positions,
                                                         Cache& cache) {
  std::vector<int> sites;
  sites.reserve(positions.size());
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

void InverseBlocks::group_sites() {
  if (!group_.empty()) return;
  std::vector<int> all(static_cast<std::size_t>(system_.order().free_count));
  std::iota(all.begin(), all.end(), 0);
  pattern_ = system_.submatrix(all);
  std::vector<std::vector<int>> near(sites_.size());
  const Eigen::SparseMatrix<double> among = system_.submatrix(sites_);
  for (int column = 0; column < among.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(among, column); it; ++it) {
      near[column].push_back(static_cast<int>(it.row()));
      near[it.row()].push_back(column);
    }
  group_.assign(sites_.size(), -1);
  for (std::size_t first = 0; first < sites_.size(); ++first) {
    if (group_[first] >= 0) continue;
    const int group = static_cast<int>(first);
    std::vector<int> members = {group};
    group_[first] = group;
    for (std::size_t k = 0; k < members.size(); ++k)
      for (const int site : near[members[k]])
        if (group_[site] < 0 && members.size() < kSitesPerGroup) {
          group_[site] = group;
          members.push_back(site);
        }
  }
}

std::vector<int> InverseBlocks::with_margin(const std::vector<int>& positions) const {
  std::vector<char> touched(sites_.size(), 0);  // by group
  for (const int position : positions) touched[group_[site_of(position)]] = 1;
  std::vector<int> result;
  for (std::size_t site = 0; site < sites_.size(); ++site)
    if (touched[group_[site]]) result.push_back(sites_[site]);
  return result;
}

const InverseBlocks::Shell& InverseBlocks::shell(std::vector<int> positions, Cache& cache) {
  std::vector<Shell>& shells = cache.shells;
  auto found = std::find_if(shells.begin(), shells.end(),
                            [&](const Shell& shell) { return shell.positions == positions; });
  if (found == shells.end()) {
    if (shells.size() == kMostShells) shells.pop_back();
    const std::vector<int> around = shell_around(pattern_, positions);
    shells.push_back({std::move(positions), nullptr});
    found = shells.end() - 1;
    if (static_cast<double>(around.size()) < kThin * system_.order().free_count) {
      found->factor = std::make_shared<ShellFactor>(system_, found->positions, around);
      solves_ += ShellFactor::solves(found->positions.size());
    }
  }
  std::rotate(shells.begin(), found, found + 1);
  return shells.front();
}

std::shared_ptr<const InverseBlock> InverseBlocks::surrogate(const std::vector<int>& positions,
                                                             Cache& cache) {
  group_sites();
  const Shell& known = shell(with_margin(positions), cache);
  if (!known.factor) return std::make_shared<SolvedBlock>(system_, positions);
  std::vector<int> index;
  index.reserve(positions.size());
  for (const int position : positions)
    index.push_back(static_cast<int>(
        std::lower_bound(known.positions.begin(), known.positions.end(), position) -
        known.positions.begin()));
  return std::make_shared<ShellSurrogate>(*known.factor, index);
}

}  // namespace dashpot
