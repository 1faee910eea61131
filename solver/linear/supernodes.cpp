#include "solver/linear/supernodes.h"

#include <algorithm>
#include <cstddef>

#include "solver/linear/elimination_tree.h"

namespace dashpot {
namespace {

struct Node {
  int first;             // first column, in the order before merging
  int end;               // one past the last column before merging
  int width;             // columns, those of merged children included
  int below;             // rows below the diagonal block
  std::size_t zeros;     // explicit zeros stored so far
  int parent;            // -1 for a root
  int merged_into = -1;  // the node that took this one over
};

std::size_t entries(std::size_t width, std::size_t below) {
  return width * (width + 1) / 2 + width * below;
}

// Maximal runs of columns in which each has the pattern of the one before, less one row.
std::vector<Node> identical_columns(const std::vector<int>& parent,
                                    const std::vector<int>& counts) {
  const int n = static_cast<int>(parent.size());
  std::vector<Node> nodes;
  std::vector<int> node_of(parent.size());
  for (int column = 0; column < n; ++column) {
    const bool continues =
        column > 0 && parent[column - 1] == column && counts[column - 1] == counts[column] + 1;
    if (!continues) nodes.push_back({column, column, 0, 0, 0, -1});
    Node& node = nodes.back();
    node.end = column + 1;
    node.width = node.end - node.first;
    node.below = counts[column] - 1;
    node_of[column] = static_cast<int>(nodes.size()) - 1;
  }
  for (Node& node : nodes) {
    const int up = parent[node.end - 1];
    node.parent = up == -1 ? -1 : node_of[up];
  }
  return nodes;
}

std::size_t added_zeros(const Node& child, const Node& parent) {
  return static_cast<std::size_t>(child.width) * (parent.width + parent.below - child.below);
}

// The narrower the merged block, the larger the share of zeros that still pays. The solve times of
// cubes of 2k to 50k tets are flat around these values.
bool worth_merging(const Node& child, const Node& parent) {
  const int width = child.width + parent.width;
  const double zeros = child.zeros + parent.zeros + added_zeros(child, parent);
  const double share = zeros / entries(width, parent.below);
  return width <= 4 || (width <= 16 && share < 0.5) || (width <= 48 && share < 0.1) || share < 0.05;
}

void merge_children(std::vector<Node>& nodes) {
  std::vector<std::vector<int>> children(nodes.size());
  for (std::size_t p = 0; p < nodes.size(); ++p) {
    Node& parent = nodes[p];
    auto& candidates = children[p];
    std::sort(candidates.begin(), candidates.end(), [&](int a, int b) {
      const auto zeros_a = added_zeros(nodes[a], parent), zeros_b = added_zeros(nodes[b], parent);
      return zeros_a != zeros_b ? zeros_a < zeros_b : a < b;
    });
    for (const int c : candidates) {
      Node& child = nodes[c];
      if (!worth_merging(child, parent)) continue;
      parent.zeros += child.zeros + added_zeros(child, parent);
      parent.width += child.width;
      child.merged_into = static_cast<int>(p);
    }
    if (parent.parent != -1) children[parent.parent].push_back(static_cast<int>(p));
  }
}

}  // namespace

Supernodes find_supernodes(const std::vector<int>& parent, const std::vector<int>& counts) {
  std::vector<Node> nodes = identical_columns(parent, counts);
  merge_children(nodes);

  // Parents come after children, so one sweep from the roots resolves chains of merges.
  const int count = static_cast<int>(nodes.size());
  std::vector<int> group(nodes.size());
  for (int i = count - 1; i >= 0; --i)
    group[i] = nodes[i].merged_into == -1 ? i : group[nodes[i].merged_into];

  std::vector<int> group_parent(nodes.size(), -1);
  std::vector<std::vector<int>> members(nodes.size());
  for (int i = 0; i < count; ++i) {
    members[group[i]].push_back(i);
    if (group[i] == i && nodes[i].parent != -1) group_parent[i] = group[nodes[i].parent];
  }

  Supernodes result;
  result.order.reserve(parent.size());
  std::vector<int> new_index(nodes.size(), -1);
  std::vector<int> heads;
  for (const int g : postorder(group_parent)) {
    if (members[g].empty()) continue;
    new_index[g] = static_cast<int>(heads.size());
    heads.push_back(g);
    result.first_column.push_back(static_cast<int>(result.order.size()));
    for (const int i : members[g])
      for (int column = nodes[i].first; column < nodes[i].end; ++column)
        result.order.push_back(column);
  }
  result.first_column.push_back(static_cast<int>(result.order.size()));
  for (const int g : heads)
    result.parent.push_back(group_parent[g] == -1 ? -1 : new_index[group_parent[g]]);
  return result;
}

}  // namespace dashpot
