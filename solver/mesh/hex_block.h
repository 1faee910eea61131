#pragma once

#include <array>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// One direction of a block of hexahedral cells. A cell's six tets share the diagonal from its
// first to its last corner; a mirrored cell exchanges the two along this axis. Neighbours fit
// together however the axes are mirrored, because a face's diagonal depends only on the two axes
// that the neighbours have in common.
struct HexAxis {
  std::vector<bool> mirrored;  // by cell
  bool closed = false;         // the last cell meets the first

  int cells() const { return static_cast<int>(mirrored.size()); }
  int points() const { return closed ? cells() : cells() + 1; }
};

// All cells alike.
HexAxis uniform_axis(int cells);
// Neighbours are mirror images, so that no direction is favoured.
HexAxis zigzag_axis(int cells);

using HexBlock = std::array<HexAxis, 3>;
using HexPlace = std::array<int, 3>;  // of a point or cell in a block

// Points are counted along the last axis first; places are wrapped around closed axes.
int point_number(const HexBlock& block, const HexPlace& at);

// Kuhn's six tets of every cell: from its first corner to its last along the axes in each order.
// Their volume is positive where the points' positions keep the orientation of the block.
std::vector<Tet> cut_into_tets(const HexBlock& block);

// position(place): of each point of the block.
template <class Position>
Points place_points(const HexBlock& block, const Position& position) {
  Eigen::Index count = 1;
  for (const HexAxis& axis : block) count *= axis.points();
  Points points(3, count);
  HexPlace at;
  for (at[0] = 0; at[0] < block[0].points(); ++at[0])
    for (at[1] = 0; at[1] < block[1].points(); ++at[1])
      for (at[2] = 0; at[2] < block[2].points(); ++at[2])
        points.col(point_number(block, at)) = position(at);
  return points;
}

}  // namespace dashpot
