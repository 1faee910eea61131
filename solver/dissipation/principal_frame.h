#pragma once

#include "solver/base/matrix3.h"
#include "solver/base/svd3.h"
#include "solver/elasticity/stretches.h"

namespace dashpot {

// F = u diag(s) v^T. Written in a frame, a change dF of F is A = u^T dF v; there, the stiffness of
// an isotropic material falls apart into one block for the three A_ii and one for each pair
// (A_ij, A_ji).
template <class T>
struct PrincipalFrame {
  Matrix3<T> u, v;
  Stretches<T> s;
};

constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};

// An inverted pair s_i = -s_j has a kink, where rotation and stretch cannot be told apart; sums of
// two stretches that are divided by stay above this.
constexpr double kFlatPair = 0.1;

template <class T>
DASHPOT_INLINE PrincipalFrame<T> make_frame(const Matrix3<T>& F) {
  PrincipalFrame<T> frame;
  signed_svd(F, frame.u, frame.s, frame.v);
  return frame;
}

// u^T x v
template <class T>
DASHPOT_INLINE Matrix3<T> into_frame(const Matrix3<T>& u, const Matrix3<T>& x,
                                     const Matrix3<T>& v) {
  return multiply(transposed(u), multiply(x, v));
}

// u a v^T
template <class T>
DASHPOT_INLINE Matrix3<T> out_of_frame(const Matrix3<T>& u, const Matrix3<T>& a,
                                       const Matrix3<T>& v) {
  return multiply(multiply(u, a), transposed(v));
}

// A symmetric tensor.
template <class T>
struct Symmetric3 {
  T xx, yy, zz, xy, xz, yz;
};

template <class T>
DASHPOT_INLINE Matrix3<T> to_matrix(const Symmetric3<T>& a) {
  return {{{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}}};
}

// The symmetric part.
template <class T>
DASHPOT_INLINE Symmetric3<T> to_symmetric(const Matrix3<T>& a) {
  return {a.m[0][0],
          a.m[1][1],
          a.m[2][2],
          0.5 * (a.m[0][1] + a.m[1][0]),
          0.5 * (a.m[0][2] + a.m[2][0]),
          0.5 * (a.m[1][2] + a.m[2][1])};
}

// A quadratic form in a frame: of (A_00, A_11, A_22), and of each pair (A_ij, A_ji).
template <class T>
struct IsotropicTangent {
  Symmetric3<T> axes;
  struct Pair {
    T first, mixed, second;
  } pair[3];
};

template <class T>
DASHPOT_INLINE IsotropicTangent<T> isotropic_form(T stiffness) {
  const T zero = T{};
  IsotropicTangent<T> form;
  form.axes = {stiffness, stiffness, stiffness, zero, zero, zero};
  for (auto& pair : form.pair) pair = {stiffness, zero, stiffness};
  return form;
}

template <class T>
DASHPOT_INLINE void add_scaled(const IsotropicTangent<T>& form, T scale, IsotropicTangent<T>& to) {
  const auto add = [&](const T& from, T& into) { into = lane_fma(scale, from, into); };
  add(form.axes.xx, to.axes.xx);
  add(form.axes.yy, to.axes.yy);
  add(form.axes.zz, to.axes.zz);
  add(form.axes.xy, to.axes.xy);
  add(form.axes.xz, to.axes.xz);
  add(form.axes.yz, to.axes.yz);
  for (int p = 0; p < 3; ++p) {
    add(form.pair[p].first, to.pair[p].first);
    add(form.pair[p].mixed, to.pair[p].mixed);
    add(form.pair[p].second, to.pair[p].second);
  }
}

// form * a
template <class T>
DASHPOT_INLINE Matrix3<T> apply(const IsotropicTangent<T>& form, const Matrix3<T>& a) {
  Matrix3<T> out;
  const Symmetric3<T>& h = form.axes;
  const T x = a.m[0][0], y = a.m[1][1], z = a.m[2][2];
  out.m[0][0] = lane_fma(h.xx, x, lane_fma(h.xy, y, h.xz * z));
  out.m[1][1] = lane_fma(h.xy, x, lane_fma(h.yy, y, h.yz * z));
  out.m[2][2] = lane_fma(h.xz, x, lane_fma(h.yz, y, h.zz * z));
  for (int p = 0; p < 3; ++p) {
    const int i = kPairs[p][0], j = kPairs[p][1];
    const auto& b = form.pair[p];
    out.m[i][j] = lane_fma(b.first, a.m[i][j], b.mixed * a.m[j][i]);
    out.m[j][i] = lane_fma(b.mixed, a.m[i][j], b.second * a.m[j][i]);
  }
  return out;
}

// form^-1 b for a positive definite form.
template <class T>
DASHPOT_INLINE Matrix3<T> solve(const IsotropicTangent<T>& form, const Matrix3<T>& b) {
  Matrix3<T> out;
  const Symmetric3<T>& h = form.axes;
  const T cxx = lane_fma(h.yy, h.zz, -(h.yz * h.yz)), cxy = lane_fma(h.xz, h.yz, -(h.xy * h.zz));
  const T cxz = lane_fma(h.xy, h.yz, -(h.xz * h.yy)), cyy = lane_fma(h.xx, h.zz, -(h.xz * h.xz));
  const T cyz = lane_fma(h.xy, h.xz, -(h.xx * h.yz)), czz = lane_fma(h.xx, h.yy, -(h.xy * h.xy));
  const T scale = 1.0 / lane_fma(h.xx, cxx, lane_fma(h.xy, cxy, h.xz * cxz));
  const T x = b.m[0][0], y = b.m[1][1], z = b.m[2][2];
  out.m[0][0] = scale * lane_fma(cxx, x, lane_fma(cxy, y, cxz * z));
  out.m[1][1] = scale * lane_fma(cxy, x, lane_fma(cyy, y, cyz * z));
  out.m[2][2] = scale * lane_fma(cxz, x, lane_fma(cyz, y, czz * z));
  for (int p = 0; p < 3; ++p) {
    const int i = kPairs[p][0], j = kPairs[p][1];
    const auto& q = form.pair[p];
    const T inverse = 1.0 / lane_fma(q.first, q.second, -(q.mixed * q.mixed));
    out.m[i][j] = inverse * lane_fma(q.second, b.m[i][j], -(q.mixed * b.m[j][i]));
    out.m[j][i] = inverse * lane_fma(q.first, b.m[j][i], -(q.mixed * b.m[i][j]));
  }
  return out;
}

template <class T>
DASHPOT_INLINE T inner(const Matrix3<T>& a, const Matrix3<T>& b) {
  T sum = T{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum = lane_fma(a.m[i][j], b.m[i][j], sum);
  return sum;
}

// The stiffness of an isotropic material in the frame (Pa). Turning a pair of axes against each
// other has the stiffness `turn`, shearing them `shear`.
template <class T>
struct ElasticForm {
  Stretches<T> stress;  // dPsi/ds
  StretchHessian<T> axes;
  T shear[3], turn[3];
};

template <class Material, class T>
DASHPOT_INLINE ElasticForm<T> elastic_form(const Stretches<T>& s, const Lame<T>& lame) {
  constexpr double kEqual = 1e-5;  // below it a difference quotient is worse than its limit
  ElasticForm<T> form;
  form.stress = Material::gradient(s, lame);
  form.axes = Material::hessian(s, lame);
  for (int p = 0; p < 3; ++p) {
    const int i = kPairs[p][0], j = kPairs[p][1];
    const T difference = s[i] - s[j];
    const MaskOf<T> equal = lane_abs(difference) < kEqual;
    const T quotient =
        (form.stress[i] - form.stress[j]) / select(equal, broadcast<T>(1.0), difference);
    form.shear[p] = select(equal, 0.5 * (form.axes.diagonal[i] + form.axes.diagonal[j]), quotient);
    form.turn[p] =
        (form.stress[i] + form.stress[j]) / lane_max(s[i] + s[j], broadcast<T>(kFlatPair));
  }
  return form;
}

// diag(diagonal) + rank_one direction direction^T with a diagonal of at least `least`: positive
// semidefinite for least = 0.
template <class T>
DASHPOT_INLINE Symmetric3<T> bounded_axes(const StretchHessian<T>& h, T least) {
  const Stretches<T>& m = h.direction;
  const T a = h.rank_one * m[0], b = h.rank_one * m[1], c = h.rank_one * m[2];
  return {lane_fma(a, m[0], lane_max(h.diagonal[0], least)),
          lane_fma(b, m[1], lane_max(h.diagonal[1], least)),
          lane_fma(c, m[2], lane_max(h.diagonal[2], least)),
          a * m[1],
          a * m[2],
          b * m[2]};
}

// The block of one pair that resists shearing and turning.
template <class T>
DASHPOT_INLINE typename IsotropicTangent<T>::Pair pair_form(T shear, T turn) {
  return {0.5 * (shear + turn), 0.5 * (shear - turn), 0.5 * (shear + turn)};
}

}  // namespace dashpot
