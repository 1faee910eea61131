#pragma once

#include <cmath>
#include <cstdint>

#include "solver/base/lane_points.h"
#include "solver/base/matrix3.h"
#include "solver/elasticity/stretches.h"

namespace dashpot {

constexpr int kCoordinates = 9;  // of one tet: F, row by row

// Weights stay above this many times the concavity. Theory asks for 2; on a ball that sags to a
// quarter of its height, 1 never converges, 2 takes 20 % more iterations than 3, and 4 takes 8 %
// more.
constexpr double kWeightMargin = 3.0;

// Weights that follow a term's stiffness, in steps of four, are never below half of it.
constexpr double kWeightStep = 0.5;

// Four tets side by side: what gradients need of them, kept apart from the rest.
struct TetShapes {
  int corner[4][kLanes];          // vertex times four
  std::uint16_t slot[4][kLanes];  // of the corner's vertex in the chunk
  Matrix3<Lane> inverse_rest_shape;
  Lame<Lane> lame;
  Lane volume;  // 0 in padding lanes
};

// The rest.
struct TetBlock {
  Lane rest_squared_weight;  // w^2 at rest, 0 in padding lanes
  Lane rest_stiffness;       // w^2 / V at rest, Pa
  Lane stiffness;            // w^2 / V now, Pa
  Lane weight;               // w, 0 in padding lanes
  Lane inverse_weight;       // 0 in padding lanes
};

inline Matrix3<Lane> load_scaled(const double* flat, const Lane& scale) {
  Matrix3<Lane> out;
  for (int k = 0; k < kCoordinates; ++k) out.m[k / 3][k % 3] = scale * load_lane(flat + k * kLanes);
  return out;
}

inline Matrix3<Lane> deformation_gradient(const TetShapes& shapes, const double* x) {
  const LanePoint p0 = load_points(x, shapes.corner[0]);
  Lane edge[3][3];  // coordinate, edge
  for (int c = 0; c < 3; ++c) {
    const LanePoint p = load_points(x, shapes.corner[c + 1]);
    edge[0][c] = p.x - p0.x;
    edge[1][c] = p.y - p0.y;
    edge[2][c] = p.z - p0.z;
  }
  Matrix3<Lane> f;
  const auto& g = shapes.inverse_rest_shape.m;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      f.m[r][c] = edge[r][0] * g[0][c] + edge[r][1] * g[1][c] + edge[r][2] * g[2][c];
  return f;
}

// D^T y for one block: y is the (already weighted) generalised force on F.
inline void add_forces(const TetShapes& shapes, const Matrix3<Lane>& y, double* forces) {
  const auto& g = shapes.inverse_rest_shape.m;
  Lane force[4][3];
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      force[c + 1][r] = y.m[r][0] * g[c][0] + y.m[r][1] * g[c][1] + y.m[r][2] * g[c][2];
    force[0][r] = -(force[1][r] + force[2][r] + force[3][r]);
  }
  for (int a = 0; a < 4; ++a) {
    Lane x = force[a][0], y_ = force[a][1], z = force[a][2], zero{};
    transpose4(x, y_, z, zero);
    const auto add = [&](int lane, const Lane& f) {
      double* sum = forces + 4 * shapes.slot[a][lane];
      store_lane(sum, load_lane(sum) + f);
    };
    add(0, x);
    add(1, y_);
    add(2, z);
    add(3, zero);
  }
}

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
inline void set_weight(TetBlock& block, int lane, double factor) {
  block.stiffness[lane] = factor * block.rest_stiffness[lane];
  block.weight[lane] = std::sqrt(factor * block.rest_squared_weight[lane]);
  block.inverse_weight[lane] = block.weight[lane] > 0 ? 1 / block.weight[lane] : 0;
}

}  // namespace dashpot
