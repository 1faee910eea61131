#pragma once

#include <array>

#include "solver/base/matrix3.h"
#include "solver/base/simd.h"

namespace dashpot {

// F = U diag(sigma) V^T with det U = det V = +1 and sigma[0] >= sigma[1] >= |sigma[2]|; only
// sigma[2] may be negative, and is so exactly when det F < 0 (invertible-FEM convention).
// Accurate to rounding error times the largest singular value for every finite F: of any rank,
// any scale and with any coincidence of singular values. F = 0 gives U = V = I.
template <class T>
void signed_svd(const Matrix3<T>& F, Matrix3<T>& U, std::array<T, 3>& sigma, Matrix3<T>& V);

// The same from a rotation V that nearly is the answer's, in fewer sweeps.
template <class T>
void signed_svd_from(const Matrix3<T>& F, Matrix3<T>& U, std::array<T, 3>& sigma, Matrix3<T>& V);

namespace svd3_detail {

// Keeps 0/0 away where a column vanishes. F is scaled to order one before, so nothing that
// matters is as small as this.
constexpr double kTiny = 1e-280;

template <class T>
struct Rotation {
  T cos, sin;
};

// The column rotation (p, q) <- (cos p + sin q, cos q - sin p) that diagonalises the symmetric
// [pp pq; pq qq] and puts the larger eigenvalue first, which saves sorting later. `spread` becomes
// the difference of the eigenvalues.
template <class T>
DASHPOT_INLINE Rotation<T> diagonalise(T pp, T qq, T pq, T& spread) {
  const T d = pp - qq, b = pq + pq;
  spread = lane_sqrt(lane_fma(b, b, lane_fma(d, d, broadcast<T>(kTiny))));
  // (d + spread, b) and (b, spread - d) are parallel: take the one without cancellation.
  const T large = lane_abs(d) + spread;
  const auto ordered = d >= T{};
  const T x = select(ordered, large, b), y = select(ordered, b, large);
  const T scale = 1.0 / lane_sqrt(lane_fma(x, x, y * y));
  return {x * scale, y * scale};
}

template <class T>
DASHPOT_INLINE void rotate(const Rotation<T>& r, T& p, T& q) {
  const T old = p;
  p = lane_fma(r.cos, p, r.sin * q);
  q = lane_fma(r.cos, q, -(r.sin * old));
}

template <class T>
DASHPOT_INLINE void rotate_columns(const Rotation<T>& r, Matrix3<T>& a, int p, int q) {
  for (auto& row : a.m) rotate(r, row[p], row[q]);
}

// F^T F, upper triangle.
template <class T>
struct Gram {
  T xx, yy, zz, xy, xz, yz;
};

template <class T>
DASHPOT_INLINE T dot_columns(const Matrix3<T>& a, int i, int j) {
  return lane_fma(a.m[2][i], a.m[2][j], lane_fma(a.m[1][i], a.m[1][j], a.m[0][i] * a.m[0][j]));
}

// One Jacobi rotation of columns p and q, r being the third; lanes outside `active` are untouched.
template <class T>
DASHPOT_INLINE void jacobi(MaskOf<T> active, T& pp, T& qq, T& pq, T& pr, T& qr, Matrix3<T>& V,
                           int p, int q) {
  T spread;
  Rotation<T> rotation = diagonalise(pp, qq, pq, spread);
  const T mean = 0.5 * (pp + qq), half = 0.5 * spread;
  rotation.cos = select(active, rotation.cos, broadcast<T>(1.0));
  rotation.sin = select(active, rotation.sin, T{});
  pp = select(active, mean + half, pp);
  qq = select(active, mean - half, qq);
  pq = select(active, T{}, pq);
  rotate(rotation, pr, qr);
  rotate_columns(rotation, V, p, q);
}

// Rotates V until F V has orthogonal columns, the longest first. FV: of the V that is given.
template <class T>
DASHPOT_INLINE void orthogonalise_columns(const Matrix3<T>& FV, Matrix3<T>& V) {
  constexpr int kMaxSweeps = 10;
  constexpr double kTolerance = 4e-16;
  Gram<T> s = {dot_columns(FV, 0, 0), dot_columns(FV, 1, 1), dot_columns(FV, 2, 2),
               dot_columns(FV, 0, 1), dot_columns(FV, 0, 2), dot_columns(FV, 1, 2)};
  const T limit = kTolerance * (s.xx + s.yy + s.zz);
  MaskOf<T> active = limit > T{};
  for (int sweep = 0; sweep < kMaxSweeps && any(active); ++sweep) {
    jacobi(active, s.xx, s.yy, s.xy, s.xz, s.yz, V, 0, 1);
    jacobi(active, s.xx, s.zz, s.xz, s.xy, s.yz, V, 0, 2);
    jacobi(active, s.yy, s.zz, s.yz, s.xy, s.xz, V, 1, 2);
    // The last rotation left yz = 0, but may have pushed yy above xx.
    const T off = lane_max(lane_abs(s.xy), lane_abs(s.xz));
    active = active & (lane_max(off, s.yy - s.xx) > limit);
  }
}

// The rotation of two rows that moves all of (a, b) into a, and nothing if both are zero.
template <class T>
DASHPOT_INLINE Rotation<T> eliminate(T a, T b) {
  const T length2 = lane_fma(a, a, b * b);
  const auto zero = length2 < kTiny;
  const T scale = 1.0 / lane_sqrt(lane_max(length2, broadcast<T>(kTiny)));
  return {select(zero, broadcast<T>(1.0), a * scale), select(zero, T{}, b * scale)};
}

template <class T>
DASHPOT_INLINE void rotate_rows(const Rotation<T>& r, Matrix3<T>& B, Matrix3<T>& U, int p, int q) {
  for (int j = 0; j < 3; ++j) rotate(r, B.m[p][j], B.m[q][j]);
  rotate_columns(r, U, p, q);
}

// A power of two near the largest entry, so that scaling by it is exact.
template <class T>
DASHPOT_INLINE T power_of_two_scale(const Matrix3<T>& F) {
  constexpr double kSmallest = 1e-300;
  constexpr std::uint64_t kExponent = 0x7ff0000000000000;
  T largest = T{};
  for (const auto& row : F.m)
    for (const T& entry : row) largest = lane_max(largest, lane_abs(entry));
  return from_bits(to_bits(lane_max(largest, broadcast<T>(kSmallest))) & kExponent);
}

template <class T>
DASHPOT_INLINE Matrix3<T> scaled_by(const T& scale, const Matrix3<T>& F) {
  Matrix3<T> B;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) B.m[i][j] = F.m[i][j] * scale;
  return B;
}

// From B = F V / scale with orthogonal columns, as good as F^T F knows them.
template <class T>
DASHPOT_INLINE void finish(Matrix3<T> B, const T& scale, Matrix3<T>& U, std::array<T, 3>& sigma,
                           Matrix3<T>& V) {
  U = identity3<T>();
  rotate_rows(eliminate(B.m[0][0], B.m[1][0]), B, U, 0, 1);
  rotate_rows(eliminate(B.m[0][0], B.m[2][0]), B, U, 0, 2);

  // F^T F knows its small singular vectors only to the square root of the rounding error. What is
  // left of the last two columns is free of the large one: orthogonalise it once more, directly.
  const T pp = lane_fma(B.m[1][1], B.m[1][1], B.m[2][1] * B.m[2][1]);
  const T qq = lane_fma(B.m[1][2], B.m[1][2], B.m[2][2] * B.m[2][2]);
  const T pq = lane_fma(B.m[1][1], B.m[1][2], B.m[2][1] * B.m[2][2]);
  T spread;
  const Rotation<T> last = diagonalise(pp, qq, pq, spread);
  rotate_columns(last, B, 1, 2);
  rotate_columns(last, V, 1, 2);
  rotate_rows(eliminate(B.m[1][1], B.m[2][1]), B, U, 1, 2);

  // Equal singular values may come out in the wrong order by a rounding error.
  sigma[0] = scale * B.m[0][0];
  sigma[1] = lane_min(scale * B.m[1][1], sigma[0]);
  sigma[2] = lane_max(-sigma[1], lane_min(scale * B.m[2][2], sigma[1]));
}

}  // namespace svd3_detail

template <class T>
DASHPOT_INLINE void signed_svd(const Matrix3<T>& F, Matrix3<T>& U, std::array<T, 3>& sigma,
                               Matrix3<T>& V) {
  using namespace svd3_detail;
  const T scale = power_of_two_scale(F);
  const Matrix3<T> B = scaled_by<T>(1.0 / scale, F);
  V = identity3<T>();
  orthogonalise_columns(B, V);
  finish(multiply(B, V), scale, U, sigma, V);
}

template <class T>
DASHPOT_INLINE void signed_svd_from(const Matrix3<T>& F, Matrix3<T>& U, std::array<T, 3>& sigma,
                                    Matrix3<T>& V) {
  using namespace svd3_detail;
  const T scale = power_of_two_scale(F);
  const Matrix3<T> B = scaled_by<T>(1.0 / scale, F);
  orthogonalise_columns(multiply(B, V), V);
  finish(multiply(B, V), scale, U, sigma, V);
}

}  // namespace dashpot
