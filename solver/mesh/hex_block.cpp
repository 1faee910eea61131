#include "solver/mesh/hex_block.h"

#include <utility>

namespace dashpot {
namespace {

void cut_cell(const HexBlock& block, const HexPlace& cell, std::vector<Tet>& tets) {
  HexPlace corner = cell, step{};
  bool negative = false;
  for (int a = 0; a < 3; ++a) {
    const bool mirrored = block[a].mirrored[cell[a]];
    step[a] = mirrored ? -1 : 1;
    if (mirrored) ++corner[a];
    negative = negative != mirrored;
  }
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int order = 0; order < 6; ++order) {
    Tet tet{point_number(block, corner)};
    HexPlace at = corner;
    for (int i = 0; i < 3; ++i) {
      at[kOrders[order][i]] += step[kOrders[order][i]];
      tet[i + 1] = point_number(block, at);
    }
    const bool odd_order = order >= 3;
    if (odd_order != negative) std::swap(tet[2], tet[3]);
    tets.push_back(tet);
  }
}

}  // namespace

HexAxis uniform_axis(int cells) {
  HexAxis axis;
  axis.mirrored.assign(cells, false);
  return axis;
}

HexAxis zigzag_axis(int cells) {
  HexAxis axis;
  for (int i = 0; i < cells; ++i) axis.mirrored.push_back(i % 2 == 1);
  return axis;
}

int point_number(const HexBlock& block, const HexPlace& at) {
  HexPlace wrapped = at;
  for (int a = 0; a < 3; ++a) wrapped[a] %= block[a].points();
  return (wrapped[0] * block[1].points() + wrapped[1]) * block[2].points() + wrapped[2];
}

std::vector<Tet> cut_into_tets(const HexBlock& block) {
  std::vector<Tet> tets;
  HexPlace cell;
  for (cell[0] = 0; cell[0] < block[0].cells(); ++cell[0])
    for (cell[1] = 0; cell[1] < block[1].cells(); ++cell[1])
      for (cell[2] = 0; cell[2] < block[2].cells(); ++cell[2]) cut_cell(block, cell, tets);
  return tets;
}

}  // namespace dashpot
