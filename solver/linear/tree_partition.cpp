#include "solver/linear/tree_partition.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace dashpot {
namespace {

// Systems below this size are solved in less time than it takes to wake another thread.
constexpr int kSequentialRows = 1500;
// No subtree holds more than this share of the factor, so that two threads, and up to a dozen,
// find their work balanced.
constexpr double kLargestShare = 1.0 / 12;
// Neighbouring small subtrees share a task until they reach this share.
constexpr double kTaskShare = 1.0 / 32;

}  // namespace

TreePartition partition_tree(const SymbolicFactor& factor) {
  const int count = factor.count();
  TreePartition partition;
  if (factor.size < kSequentialRows) {
    partition.top.resize(count);
    for (int s = 0; s < count; ++s) partition.top[s] = s;
    return partition;
  }

  std::vector<double> work(count);
  std::vector<std::vector<int>> children(count);
  std::priority_queue<std::pair<double, int>> heaviest;
  double total = 0.0;
  for (int s = 0; s < count; ++s) {
    work[s] += factor.work(s);
    total += factor.work(s);
    if (factor.parent[s] == -1) {
      heaviest.push({work[s], s});
    } else {
      work[factor.parent[s]] += work[s];
      children[factor.parent[s]].push_back(s);
    }
  }
  while (!heaviest.empty() && heaviest.top().first > kLargestShare * total) {
    const int s = heaviest.top().second;
    heaviest.pop();
    partition.top.push_back(s);
    for (const int child : children[s]) heaviest.push({work[child], child});
  }
  std::sort(partition.top.begin(), partition.top.end());

  std::vector<int> roots;
  for (; !heaviest.empty(); heaviest.pop()) roots.push_back(heaviest.top().second);
  std::sort(roots.begin(), roots.end());
  double task_work = total;
  for (const int root : roots) {
    if (task_work + work[root] > kTaskShare * total) {
      partition.tasks.emplace_back();
      task_work = 0.0;
    }
    partition.tasks.back().push_back({factor.first_descendant[root], root});
    task_work += work[root];
  }
  return partition;
}

}  // namespace dashpot
