#pragma once

#include <vector>

#include "solver/mesh/vertex_order.h"

namespace dashpot {

// The points of each element of a mesh, one element after the other.
struct Connectivity {
  std::vector<int> points;
  std::vector<std::size_t> start = {0};  // of each element in `points`, and one past the last

  void add(const int* element, int count) {
    points.insert(points.end(), element, element + count);
    start.push_back(points.size());
  }
};

// A connected piece of the mesh: its vertices, by position in the solver's order times four,
// ascending.
struct MeshPiece {
  std::vector<int> free, pinned;
};

std::vector<MeshPiece> connected_pieces(const Connectivity& elements, const VertexOrder& order);

}  // namespace dashpot
