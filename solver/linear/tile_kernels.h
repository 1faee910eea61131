#pragma once

#include <cstddef>

#include "solver/base/simd.h"

namespace dashpot {

// The inner loops of the triangular solves: a tile (Packs registers of rows, columns one after the
// other) times three right-hand sides held in registers. GCC keeps the accumulators in registers
// at -O2 only when the loops over packs are unrolled by pragma.
//
// Vectors with three right-hand sides have four numbers (x, y, z, unused) per row: one Row.

template <class Scalar>
struct TileTypes;
template <>
struct TileTypes<double> {
  using Pack = Lane;
  using Unaligned = double __attribute__((vector_size(32), aligned(8), may_alias));
  using Row = Lane;
  using UnalignedRow = Unaligned;
};
template <>
struct TileTypes<float> {
  using Pack = float __attribute__((vector_size(32)));
  using Unaligned = float __attribute__((vector_size(32), aligned(4), may_alias));
  using Row = float __attribute__((vector_size(16)));
  using UnalignedRow = float __attribute__((vector_size(16), aligned(4), may_alias));
};
template <class Scalar>
using PackOf = typename TileTypes<Scalar>::Pack;
template <class Scalar>
using RowOf = typename TileTypes<Scalar>::Row;

template <class Scalar>
inline PackOf<Scalar> load_pack(const Scalar* from) {
  return *reinterpret_cast<const typename TileTypes<Scalar>::Unaligned*>(from);
}
template <class Scalar>
inline void store_pack(Scalar* to, PackOf<Scalar> value) {
  *reinterpret_cast<typename TileTypes<Scalar>::Unaligned*>(to) = value;
}
template <class Scalar>
inline PackOf<Scalar> splat(Scalar v) {
  return v - PackOf<Scalar>{};
}

// Rows are kept in double precision between supernodes, and converted on the way in and out.
inline Lane load_row(const double* from) {
  return load_pack(from);
}
inline Lane load_row(const float* from) {
  return __builtin_convertvector(*reinterpret_cast<const TileTypes<float>::UnalignedRow*>(from),
                                 Lane);
}
inline void store_row(double* to, Lane row) {
  store_pack(to, row);
}
inline void store_row(float* to, Lane row) {
  *reinterpret_cast<TileTypes<float>::UnalignedRow*>(to) =
      __builtin_convertvector(row, RowOf<float>);
}

#if defined(__clang__)
#define DASHPOT_SHUFFLE(Mask, a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define DASHPOT_SHUFFLE(Mask, a, b, ...) __builtin_shuffle(a, b, Mask{__VA_ARGS__})
#endif

using IntPack = int __attribute__((vector_size(32)));
using IntRow = int __attribute__((vector_size(16)));

// Rows become columns: the lanes of a, b, c, d change places with the four registers.
inline void transpose(Lane& a, Lane& b, Lane& c, Lane& d) {
  const Lane ab_even = DASHPOT_SHUFFLE(LaneMask, a, b, 0, 4, 2, 6),
             ab_odd = DASHPOT_SHUFFLE(LaneMask, a, b, 1, 5, 3, 7);
  const Lane cd_even = DASHPOT_SHUFFLE(LaneMask, c, d, 0, 4, 2, 6),
             cd_odd = DASHPOT_SHUFFLE(LaneMask, c, d, 1, 5, 3, 7);
  a = DASHPOT_SHUFFLE(LaneMask, ab_even, cd_even, 0, 1, 4, 5);
  b = DASHPOT_SHUFFLE(LaneMask, ab_odd, cd_odd, 0, 1, 4, 5);
  c = DASHPOT_SHUFFLE(LaneMask, ab_even, cd_even, 2, 3, 6, 7);
  d = DASHPOT_SHUFFLE(LaneMask, ab_odd, cd_odd, 2, 3, 6, 7);
}

// The same within each half of the registers.
inline void transpose(PackOf<float>& a, PackOf<float>& b, PackOf<float>& c, PackOf<float>& d) {
  using Pack = PackOf<float>;
  const Pack ab_low = DASHPOT_SHUFFLE(IntPack, a, b, 0, 8, 1, 9, 4, 12, 5, 13),
             ab_high = DASHPOT_SHUFFLE(IntPack, a, b, 2, 10, 3, 11, 6, 14, 7, 15);
  const Pack cd_low = DASHPOT_SHUFFLE(IntPack, c, d, 0, 8, 1, 9, 4, 12, 5, 13),
             cd_high = DASHPOT_SHUFFLE(IntPack, c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  a = DASHPOT_SHUFFLE(IntPack, ab_low, cd_low, 0, 1, 8, 9, 4, 5, 12, 13);
  b = DASHPOT_SHUFFLE(IntPack, ab_low, cd_low, 2, 3, 10, 11, 6, 7, 14, 15);
  c = DASHPOT_SHUFFLE(IntPack, ab_high, cd_high, 0, 1, 8, 9, 4, 5, 12, 13);
  d = DASHPOT_SHUFFLE(IntPack, ab_high, cd_high, 2, 3, 10, 11, 6, 7, 14, 15);
}

// One register of rows between its two forms: a Row for each, and a register for each coordinate.
inline void load_rows(const double* rows, Lane& x, Lane& y, Lane& z) {
  Lane unused = load_pack(rows + 12);
  x = load_pack(rows);
  y = load_pack(rows + 4);
  z = load_pack(rows + 8);
  transpose(x, y, z, unused);
}
inline void load_rows(const float* rows, PackOf<float>& x, PackOf<float>& y, PackOf<float>& z) {
  using Pack = PackOf<float>;
  const Pack r01 = load_pack(rows), r23 = load_pack(rows + 8);
  const Pack r45 = load_pack(rows + 16), r67 = load_pack(rows + 24);
  Pack unused = DASHPOT_SHUFFLE(IntPack, r23, r67, 4, 5, 6, 7, 12, 13, 14, 15);
  x = DASHPOT_SHUFFLE(IntPack, r01, r45, 0, 1, 2, 3, 8, 9, 10, 11);
  y = DASHPOT_SHUFFLE(IntPack, r01, r45, 4, 5, 6, 7, 12, 13, 14, 15);
  z = DASHPOT_SHUFFLE(IntPack, r23, r67, 0, 1, 2, 3, 8, 9, 10, 11);
  transpose(x, y, z, unused);
}
inline void store_rows(double* rows, Lane x, Lane y, Lane z) {
  Lane unused{};
  transpose(x, y, z, unused);
  store_pack(rows, x);
  store_pack(rows + 4, y);
  store_pack(rows + 8, z);
  store_pack(rows + 12, unused);
}
inline void store_rows(float* rows, PackOf<float> x, PackOf<float> y, PackOf<float> z) {
  PackOf<float> unused{};
  transpose(x, y, z, unused);
  store_pack(rows, DASHPOT_SHUFFLE(IntPack, x, y, 0, 1, 2, 3, 8, 9, 10, 11));
  store_pack(rows + 8, DASHPOT_SHUFFLE(IntPack, z, unused, 0, 1, 2, 3, 8, 9, 10, 11));
  store_pack(rows + 16, DASHPOT_SHUFFLE(IntPack, x, y, 4, 5, 6, 7, 12, 13, 14, 15));
  store_pack(rows + 24, DASHPOT_SHUFFLE(IntPack, z, unused, 4, 5, 6, 7, 12, 13, 14, 15));
}

// (sum of a's lanes, of b's, of c's, something finite).
inline Lane sum_lanes(Lane a, Lane b, Lane c) {
  const Lane ab =
      DASHPOT_SHUFFLE(LaneMask, a, b, 0, 4, 2, 6) + DASHPOT_SHUFFLE(LaneMask, a, b, 1, 5, 3, 7);
  const Lane cc = c + DASHPOT_SHUFFLE(LaneMask, c, c, 1, 0, 3, 2);
  return DASHPOT_SHUFFLE(LaneMask, ab, cc, 0, 1, 4, 5) +
         DASHPOT_SHUFFLE(LaneMask, ab, cc, 2, 3, 6, 7);
}
inline Lane sum_lanes(PackOf<float> a, PackOf<float> b, PackOf<float> c) {
  PackOf<float> unused{};
  transpose(a, b, c, unused);  // now a row of partial sums in each half of each register
  const PackOf<float> halves = (a + b) + (c + unused);
  alignas(32) float sums[8];
  store_pack(sums, halves);
  return load_row(sums) + load_row(sums + 4);
}
#undef DASHPOT_SHUFFLE

// y = tile x. x and y hold a Row for each column and row.
template <int Packs, class Scalar>
inline void multiply_tile(const Scalar* tile, int columns, const Scalar* x, Scalar* y) {
  using Pack = PackOf<Scalar>;
  constexpr int kPack = sizeof(Pack) / sizeof(Scalar);
  Pack sum[Packs][3] = {};
  for (int j = 0; j < columns; ++j) {
    const Pack x0 = splat(x[0]), x1 = splat(x[1]), x2 = splat(x[2]);
#pragma GCC unroll 4
    for (int p = 0; p < Packs; ++p) {
      const Pack l = load_pack(tile + p * kPack);
      sum[p][0] += l * x0;
      sum[p][1] += l * x1;
      sum[p][2] += l * x2;
    }
    tile += Packs * kPack;
    x += 4;
  }
#pragma GCC unroll 4
  for (int p = 0; p < Packs; ++p) store_rows(y + 4 * kPack * p, sum[p][0], sum[p][1], sum[p][2]);
}

// sum = tile^T x, or sum += tile^T x, without adding up the lanes. x holds three registers per pack
// of rows, sum three per column.
template <int Packs, bool Add, class Scalar>
inline void multiply_transposed_tile(const Scalar* tile, int columns, const Scalar* x,
                                     Scalar* sum) {
  using Pack = PackOf<Scalar>;
  constexpr int kPack = sizeof(Pack) / sizeof(Scalar);
  Pack v[Packs][3];
#pragma GCC unroll 4
  for (int p = 0; p < Packs; ++p) {
#pragma GCC unroll 3
    for (int d = 0; d < 3; ++d) v[p][d] = load_pack(x + kPack * (3 * p + d));
  }
  for (int j = 0; j < columns; ++j) {
    Pack s0{}, s1{}, s2{};
    if (Add) {
      s0 = load_pack(sum);
      s1 = load_pack(sum + kPack);
      s2 = load_pack(sum + 2 * kPack);
    }
#pragma GCC unroll 4
    for (int p = 0; p < Packs; ++p) {
      const Pack l = load_pack(tile + p * kPack);
      s0 += l * v[p][0];
      s1 += l * v[p][1];
      s2 += l * v[p][2];
    }
    store_pack(sum, s0);
    store_pack(sum + kPack, s1);
    store_pack(sum + 2 * kPack, s2);
    tile += Packs * kPack;
    sum += 3 * kPack;
  }
}

}  // namespace dashpot
