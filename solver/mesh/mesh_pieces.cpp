#include "solver/mesh/mesh_pieces.h"

#include <algorithm>
#include <numeric>

namespace dashpot {

std::vector<MeshPiece> connected_pieces(const Connectivity& elements, const VertexOrder& order) {
  std::vector<int> parent(order.count());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  std::vector<char> used(parent.size(), 0);
  for (std::size_t e = 0; e + 1 < elements.start.size(); ++e)
    for (std::size_t k = elements.start[e]; k < elements.start[e + 1]; ++k) {
      const int v = order.position[elements.points[k]];
      used[v] = 1;
      const int a = root(v), b = root(order.position[elements.points[elements.start[e]]]);
      parent[std::max(a, b)] = std::min(a, b);
    }
  std::vector<MeshPiece> pieces;
  std::vector<int> piece_of_root(parent.size(), -1);
  for (int v = 0; v < order.count(); ++v) {
    if (!used[v]) continue;
    int& piece = piece_of_root[root(v)];
    if (piece < 0) {
      piece = static_cast<int>(pieces.size());
      pieces.emplace_back();
    }
    (v < order.free_count ? pieces[piece].free : pieces[piece].pinned).push_back(4 * v);
  }
  return pieces;
}

}  // namespace dashpot
