#pragma once

#include <cmath>

#include "solver/base/simd.h"

namespace dashpot {

// Weights stay above this many times the concavity. Theory asks for 2; on a ball that sags to a
// quarter of its height, 1 never converges, 2 takes 20 % more iterations than 3, and 4 takes 8 %
// more.
constexpr double kWeightMargin = 3.0;

// Weights that follow a term's stiffness, in steps of four, are never below half of it.
constexpr double kWeightStep = 0.5;

// Weights of four elements side by side. The extent is the volume of a tet, 1 for springs.
struct ElementBlock {
  Lane rest_squared_weight;  // w^2 at rest, 0 in padding lanes
  Lane rest_stiffness;       // w^2 / extent at rest, Pa
  Lane stiffness;            // w^2 / extent now, Pa
  Lane weight;               // w, 0 in padding lanes
  Lane inverse_weight;       // 0 in padding lanes
};

// The first of 1, 4, 16, 64 that is not below the ratio: coarse steps, so that the matrix is seldom
// factored anew.
inline Lane weight_factor(const Lane& ratio) {
  Lane factor = broadcast<Lane>(1);
  for (double level : {4.0, 16.0, 64.0})
    factor = select(ratio > factor, broadcast<Lane>(level), factor);
  return factor;
}

// factor is a power of two: weights that come back to those at rest are those at rest, bit for
// bit.
inline void set_weight(ElementBlock& block, int lane, double factor) {
  block.stiffness[lane] = factor * block.rest_stiffness[lane];
  block.weight[lane] = std::sqrt(factor * block.rest_squared_weight[lane]);
  block.inverse_weight[lane] = block.weight[lane] > 0 ? 1 / block.weight[lane] : 0;
}

}  // namespace dashpot
