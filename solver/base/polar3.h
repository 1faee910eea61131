#pragma once

#include "solver/base/matrix3.h"

namespace dashpot {

// F = Q S, Q a rotation and S symmetric positive definite.
template <class T>
struct PolarDecomposition {
  Matrix3<T> q, s;
};

// det a; its cofactors, which over det a are a^-T.
template <class T>
DASHPOT_INLINE T determinant(const Matrix3<T>& a, Matrix3<T>& cofactor) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      cofactor.m[i][j] = lane_fma(a.m[i1][j1], a.m[i2][j2], -(a.m[i1][j2] * a.m[i2][j1]));
    }
  return lane_fma(a.m[0][2], cofactor.m[0][2],
                  lane_fma(a.m[0][1], cofactor.m[0][1], a.m[0][0] * cofactor.m[0][0]));
}

template <class T>
DASHPOT_INLINE T squared_norm(const Matrix3<T>& a) {
  T sum = T{};
  for (const auto& row : a.m)
    for (const T& entry : row) sum = lane_fma(entry, entry, sum);
  return sum;
}

// By Newton's iteration Q <- (Q + Q^-T) / 2, quadratically convergent (Higham 1986 (3.1)). True
// where it is certain: F is not inverted, none of its stretches is below `least`, and it converged.
// Each element ends with its own iteration, whatever is beside it.
template <class T>
DASHPOT_INLINE MaskOf<T> polar_decomposition(const Matrix3<T>& F, double least,
                                             PolarDecomposition<T>& polar) {
  constexpr int kMostSteps = 12;
  constexpr double kConverged = 1e-15;  // of |change|^2: the next one is half of that
  Matrix3<T> cofactor;
  T J = determinant(F, cofactor);
  // The smallest stretch is J over the product of the others, which is below |cofactor|.
  const MaskOf<T> regular = (J > 0.0) & (J * J > (least * least) * squared_norm(cofactor));
  MaskOf<T> runs = regular;
  polar.q = F;
  for (int step = 0; step < kMostSteps && any(runs); ++step) {
    if (step > 0) J = determinant(polar.q, cofactor);
    const T half_inverse = 0.5 / select(runs, J, broadcast<T>(1.0));
    T change = T{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const T old = polar.q.m[i][j];
        const T next = lane_fma(half_inverse, cofactor.m[i][j], 0.5 * old);
        change = lane_fma(next - old, next - old, change);
        polar.q.m[i][j] = select(runs, next, old);
      }
    runs = runs & (change > kConverged);
  }
  const Matrix3<T> s = multiply(transposed(polar.q), F);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) polar.s.m[i][j] = 0.5 * (s.m[i][j] + s.m[j][i]);
  return regular & mask_not(runs);
}

// The skew matrix W with S W + W S = a - a^T: for w, Wx = w x x, that is (tr S - S) w = the axial
// vector of a - a^T.
template <class T>
DASHPOT_INLINE Matrix3<T> skew_solution(const Matrix3<T>& s, const Matrix3<T>& a) {
  const T trace = s.m[0][0] + s.m[1][1] + s.m[2][2];
  Matrix3<T> sums, cofactor;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sums.m[i][j] = (i == j ? trace : T{}) - s.m[i][j];
  const T inverse = 1.0 / determinant(sums, cofactor);
  const T r[3] = {inverse * (a.m[2][1] - a.m[1][2]), inverse * (a.m[0][2] - a.m[2][0]),
                  inverse * (a.m[1][0] - a.m[0][1])};
  T w[3];
  for (int i = 0; i < 3; ++i)
    w[i] =
        lane_fma(cofactor.m[i][0], r[0], lane_fma(cofactor.m[i][1], r[1], cofactor.m[i][2] * r[2]));
  const T zero = T{};
  return {{{zero, -w[2], w[1]}, {w[2], zero, -w[0]}, {-w[1], w[0], zero}}};
}

// dS/dt for dF/dt = change: with dQ/dt = Q W, Q^T dF/dt = W S + dS/dt.
template <class T>
DASHPOT_INLINE Matrix3<T> stretch_tensor_rate(const PolarDecomposition<T>& polar,
                                              const Matrix3<T>& change) {
  const Matrix3<T> own = multiply(transposed(polar.q), change);
  const Matrix3<T> turning = multiply(skew_solution(polar.s, own), polar.s);
  Matrix3<T> rate;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      rate.m[i][j] = 0.5 * ((own.m[i][j] - turning.m[i][j]) + (own.m[j][i] - turning.m[j][i]));
  return rate;
}

}  // namespace dashpot
