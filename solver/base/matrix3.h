#pragma once

#include <array>

#include "solver/base/simd.h"
#include "solver/base/types.h"

namespace dashpot {

// A 3x3 matrix of doubles, or of four elements side by side (T = Lane).
template <class T>
struct Matrix3 {
  T m[3][3];  // row, column
};

template <class T>
DASHPOT_INLINE Matrix3<T> identity3() {
  const T zero = T{}, one = broadcast<T>(1.0);
  return {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
}

template <class T>
DASHPOT_INLINE Matrix3<T> multiply(const Matrix3<T>& a, const Matrix3<T>& b) {
  Matrix3<T> c;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      c.m[i][j] =
          lane_fma(a.m[i][2], b.m[2][j], lane_fma(a.m[i][1], b.m[1][j], a.m[i][0] * b.m[0][j]));
  return c;
}

template <class T>
DASHPOT_INLINE Matrix3<T> transposed(const Matrix3<T>& a) {
  Matrix3<T> b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b.m[i][j] = a.m[j][i];
  return b;
}

// U diag(s) V^T: from stretches back to a deformation gradient.
template <class T>
DASHPOT_INLINE Matrix3<T> compose(const Matrix3<T>& u, const std::array<T, 3>& s,
                                  const Matrix3<T>& v) {
  Matrix3<T> f;
  for (int i = 0; i < 3; ++i) {
    const T a = u.m[i][0] * s[0], b = u.m[i][1] * s[1], c = u.m[i][2] * s[2];
    for (int j = 0; j < 3; ++j)
      f.m[i][j] = lane_fma(c, v.m[j][2], lane_fma(b, v.m[j][1], a * v.m[j][0]));
  }
  return f;
}

inline Matrix3<double> to_matrix3(const Mat3& a) {
  Matrix3<double> b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b.m[i][j] = a(i, j);
  return b;
}

inline Mat3 to_eigen(const Matrix3<double>& a) {
  Mat3 b;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b(i, j) = a.m[i][j];
  return b;
}

}  // namespace dashpot
