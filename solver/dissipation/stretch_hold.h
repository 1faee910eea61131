#pragma once

#include "solver/dissipation/damped_prox.h"

namespace dashpot {

// Lanes in which a power law p < 1 of the stretch rate holds the stretch tensor where it was, with
// that F in `held`: the rotation nearest to p times the past stretch. Exact for p = 0, where the
// stress at rest may be anything up to that of the reference rate.
template <class Material, class T>
DASHPOT_INLINE MaskOf<T> hold_stretch(const DampedElement<T>& e, const Matrix3<T>& p,
                                      Matrix3<T>& held) {
  // |p - Q S| is least for the rotation of p S, not for that of p.
  const PrincipalFrame<T> turn = make_frame(multiply(p, e.past));
  held = multiply(multiply(turn.u, transposed(turn.v)), e.past);
  const PrincipalFrame<T> f = make_frame(held);
  const Stretches<T> stress = Material::gradient(f.s, e.lame);
  Matrix3<T> force = into_frame(f.u, p, f.v);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      force.m[i][j] =
          lane_fma(-e.k, force.m[i][j], i == j ? lane_fma(e.k, f.s[i], stress[i]) : T{});
  Matrix3<T> symmetric = to_matrix(to_symmetric(force));
  if (e.ramps) {
    constexpr double kOff = 1e-150;  // a multiplier of zero holds nothing
    AxisScale<T> scale = axis_scale(e.ramps, e.law, f, Matrix3<T>{}, 1.0 / e.inverse_h);
    for (T& g : scale.axis) g = 1.0 / lane_max(g, broadcast<T>(kOff));
    for (T& g : scale.pair) g = 1.0 / lane_max(g, broadcast<T>(kOff));
    symmetric = scaled(scale, symmetric);
  }
  const T squared = inner(symmetric, symmetric) / (2.0 * e.coefficients.first);
  // A past stretch that is not positive definite is no stretch: the frame is then not that of S.
  return (e.law.exponent < 1.0) & (f.s[2] > 0.0) &
         (squared <= squared_holding_stress(e.law, e.inverse_h));
}

}  // namespace dashpot
