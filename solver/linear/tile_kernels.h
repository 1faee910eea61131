#pragma once

#include <cstddef>

#include "solver/base/simd.h"

namespace dashpot {

// The inner loops of the triangular solves: a tile (kLanes * Packs rows, columns one after the
// other) times three right-hand sides held in registers. GCC keeps the accumulators in registers
// at -O2 only when the loops over packs are unrolled by pragma.

// Right-hand sides come from the caller with the alignment of double.
using UnalignedLane = double __attribute__((vector_size(32), aligned(8), may_alias));

inline Lane load_lane(const double* from) {
  return *reinterpret_cast<const UnalignedLane*>(from);
}
inline Lane splat(double v) {
  return Lane{v, v, v, v};
}
inline void store_lane(double* to, Lane value) {
  *reinterpret_cast<UnalignedLane*>(to) = value;
}

#if defined(__clang__)
#define DASHPOT_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define DASHPOT_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, LaneMask{i, j, k, l})
#endif

// Rows become columns: the lanes of a, b, c, d change places with the four registers.
inline void transpose(Lane& a, Lane& b, Lane& c, Lane& d) {
  const Lane ab_even = DASHPOT_SHUFFLE(a, b, 0, 4, 2, 6),
             ab_odd = DASHPOT_SHUFFLE(a, b, 1, 5, 3, 7);
  const Lane cd_even = DASHPOT_SHUFFLE(c, d, 0, 4, 2, 6),
             cd_odd = DASHPOT_SHUFFLE(c, d, 1, 5, 3, 7);
  a = DASHPOT_SHUFFLE(ab_even, cd_even, 0, 1, 4, 5);
  b = DASHPOT_SHUFFLE(ab_odd, cd_odd, 0, 1, 4, 5);
  c = DASHPOT_SHUFFLE(ab_even, cd_even, 2, 3, 6, 7);
  d = DASHPOT_SHUFFLE(ab_odd, cd_odd, 2, 3, 6, 7);
}

// (sum of a's lanes, of b's, of c's, something finite).
inline Lane sum_lanes(Lane a, Lane b, Lane c) {
  const Lane ab = DASHPOT_SHUFFLE(a, b, 0, 4, 2, 6) + DASHPOT_SHUFFLE(a, b, 1, 5, 3, 7);
  const Lane cc = c + DASHPOT_SHUFFLE(c, c, 1, 0, 3, 2);
  return DASHPOT_SHUFFLE(ab, cc, 0, 1, 4, 5) + DASHPOT_SHUFFLE(ab, cc, 2, 3, 6, 7);
}
#undef DASHPOT_SHUFFLE

// y = tile x. x and y hold four doubles (x, y, z, unused) per column and row.
template <int Packs>
inline void multiply_tile(const double* tile, int columns, const double* x, double* y) {
  Lane sum[Packs][3] = {};
  for (int j = 0; j < columns; ++j) {
    const Lane x0 = splat(x[0]), x1 = splat(x[1]), x2 = splat(x[2]);
#pragma GCC unroll 4
    for (int p = 0; p < Packs; ++p) {
      const Lane l = load_lane(tile + p * kLanes);
      sum[p][0] += l * x0;
      sum[p][1] += l * x1;
      sum[p][2] += l * x2;
    }
    tile += Packs * kLanes;
    x += 4;
  }
#pragma GCC unroll 4
  for (int p = 0; p < Packs; ++p) {
    Lane unused{};
    transpose(sum[p][0], sum[p][1], sum[p][2], unused);
    store_lane(y + 16 * p, sum[p][0]);
    store_lane(y + 16 * p + 4, sum[p][1]);
    store_lane(y + 16 * p + 8, sum[p][2]);
    store_lane(y + 16 * p + 12, unused);
  }
}

// sum = tile^T x, or sum += tile^T x, without adding up the lanes. x holds three registers per pack
// of rows, sum three per column.
template <int Packs, bool Add>
inline void multiply_transposed_tile(const double* tile, int columns, const double* x,
                                     double* sum) {
  Lane v[Packs][3];
#pragma GCC unroll 4
  for (int p = 0; p < Packs; ++p) {
#pragma GCC unroll 3
    for (int d = 0; d < 3; ++d) v[p][d] = load_lane(x + 12 * p + 4 * d);
  }
  for (int j = 0; j < columns; ++j) {
    Lane s0{}, s1{}, s2{};
    if (Add) {
      s0 = load_lane(sum);
      s1 = load_lane(sum + 4);
      s2 = load_lane(sum + 8);
    }
#pragma GCC unroll 4
    for (int p = 0; p < Packs; ++p) {
      const Lane l = load_lane(tile + p * kLanes);
      s0 += l * v[p][0];
      s1 += l * v[p][1];
      s2 += l * v[p][2];
    }
    store_lane(sum, s0);
    store_lane(sum + 4, s1);
    store_lane(sum + 8, s2);
    tile += Packs * kLanes;
    sum += 12;
  }
}

}  // namespace dashpot
