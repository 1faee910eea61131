#pragma once

#include "solver/elasticity/stretches.h"
#include "solver/elements/element_block.h"
#include "solver/elements/element_operator.h"

namespace dashpot {

using TetOperator = ElementOperator<4, 3>;

struct TetParameters {
  Lame<Lane> lame;
  Lane volume;  // 0 in padding lanes
};

// Four tets side by side: what gradients need of them.
struct TetShape : TetOperator, TetParameters {};

// How concave the energy is in F at these stretches, Pa: in a squeezed tet, turning a pair of axes
// against each other lowers the energy, with curvature (g_i + g_j) / (s_i + s_j).
inline Lane concavity(const Stretches<Lane>& s, const Stretches<Lane>& g) {
  constexpr double kFlat = 0.1;  // an inverted pair has a kink: no finite weight is enough
  Lane most{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    most = lane_max(most, -(g[i] + g[j]) / lane_max(s[i] + s[j], broadcast<Lane>(kFlat)));
  }
  return most;
}

}  // namespace dashpot
