#pragma once

#include "solver/dissipation/rate_models.h"

namespace dashpot {

// The stiffness K^n at the start of the step, with the frame that it was taken in. It replaces the
// share `lag` of the stiffness now: K + lag (K^n - K).
template <class T>
struct LaggedForm {
  Matrix3<T> u, v;
  IsotropicTangent<T> form;  // Pa
  T lag;
};

// In proportion to the stiffness of the element: R = beta/2 dF:K:dF, Brown et al. 2018 (46), with K
// = d2Psi/dF2 made positive semidefinite. K is that of F itself; the stress is that of Brown et al.
// 2018 (47) exactly, without the derivative of K (the balance of stresses is solved, not the
// minimum of h R).
//
// coefficients.second = 1 conserves angular momentum (Brown et al. 2018 section 6): R sees dF
// without its rigid rotation, by the projector Brown et al. 2018 (66). The velocity gradient form
// (67) equals it wherever the two stretches of a pair are equal, but grows without bound in a flat
// tet.
struct Rayleigh {
  static constexpr bool kLagged = false;

  template <class T>
  DASHPOT_INLINE static Matrix3<T> measure(const PrincipalFrame<T>& f) {
    return compose(f.u, f.s, f.v);
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stage_rate(const PrincipalFrame<T>& f, const Matrix3<T>& past,
                                              T inverse_h) {
    return rate_from(f.s, into_frame(f.u, past, f.v), inverse_h);
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> rate_of(const PrincipalFrame<T>& /*f*/, const Matrix3<T>& a) {
    return a;
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> in_material(const PrincipalFrame<T>& f, const Matrix3<T>& rate) {
    return out_of_frame(f.u, rate, f.v);
  }

  template <class T>
  DASHPOT_INLINE static T smooth_step(const PrincipalFrame<T>& f) {
    return kSmoothStep * f.s[2];
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stretch_rate(const PrincipalFrame<T>& f,
                                                const Matrix3<T>& rate) {
    return StretchRate::rate_of(f, rate);
  }

  // K, positive semidefinite.
  template <class T>
  DASHPOT_INLINE static IsotropicTangent<T> stiffness(const ElasticForm<T>& elastic) {
    IsotropicTangent<T> form;
    form.axes = bounded_axes(elastic.axes, T{});
    for (int p = 0; p < 3; ++p)
      form.pair[p] = pair_form<T>(lane_max(elastic.shear[p], T{}), lane_max(elastic.turn[p], T{}));
    return form;
  }

  template <class T>
  DASHPOT_INLINE static RateEvaluation<T> evaluate(const PrincipalFrame<T>& f,
                                                   const ElasticForm<T>& elastic,
                                                   const RateCoefficients<T>& c,
                                                   const Matrix3<T>& rate) {
    RateEvaluation<T> at;
    at.viscosity = empty_form<T>();
    add_scaled(without_rotation(f, stiffness(elastic), c), c.first, at.viscosity);
    at.geometry = empty_form<T>();
    at.stress = apply(at.viscosity, rate);
    at.dissipation = lane_max(0.5 * inner(rate, at.stress), T{});
    return at;
  }

 protected:
  // The unit vector of (A_ij, A_ji) that is orthogonal to rotations of F.
  template <class T>
  DASHPOT_INLINE static void unrotated(const PrincipalFrame<T>& f, int p, T& a, T& b) {
    constexpr double kFlat = 1e-12;
    const int i = kPairs[p][0], j = kPairs[p][1];
    const T squared = lane_fma(f.s[i], f.s[i], f.s[j] * f.s[j]);
    const T inverse = 1.0 / lane_sqrt(lane_max(squared, broadcast<T>(kFlat)));
    a = f.s[i] * inverse;
    b = f.s[j] * inverse;
  }

  template <class T>
  DASHPOT_INLINE static IsotropicTangent<T> without_rotation(const PrincipalFrame<T>& f,
                                                             IsotropicTangent<T> form,
                                                             const RateCoefficients<T>& c) {
    const MaskOf<T> conserve = c.second > 0.5;
    if (!any(conserve)) return form;
    for (int p = 0; p < 3; ++p) {
      T a, b;
      unrotated(f, p, a, b);
      auto& q = form.pair[p];
      const T along = lane_fma(q.first * a, a, lane_fma(q.second * b, b, 2.0 * q.mixed * a * b));
      q = {select(conserve, along * a * a, q.first), select(conserve, along * a * b, q.mixed),
           select(conserve, along * b * b, q.second)};
    }
    return form;
  }
};

// The same with K, or a part of it, at the start of the step.
//
// lag = 1: Gast et al. lag = -h/(2t) at the time t of the step: the minimiser of Brown et al. 2018
// (28) without the correction of Brown et al. 2018 section 4.2. Its stress has h dR/dF = h beta/2
// dK/dt v on top of beta K v, where dK/dt = (K - K^n)/t as in Brown et al. 2018 (51); that is an
// error of first order.
struct RayleighLagged : Rayleigh {
  static constexpr bool kLagged = true;

  template <class T>
  DASHPOT_INLINE static RateEvaluation<T> evaluate_lagged(const PrincipalFrame<T>& f,
                                                          const ElasticForm<T>& elastic,
                                                          const LaggedForm<T>& lag,
                                                          const RateCoefficients<T>& c,
                                                          const Matrix3<T>& rate) {
    RateEvaluation<T> at;
    at.geometry = empty_form<T>();
    const Matrix3<T> seen = project(f, c, rate);
    // Between the frame then and the frame now.
    const Matrix3<T> turn_u = multiply(transposed(lag.u), f.u);
    const Matrix3<T> turn_v = multiply(transposed(lag.v), f.v);
    IsotropicTangent<T> then = empty_form<T>();
    add_scaled(lag.form, c.first, then);
    Matrix3<T> stress = into_frame(turn_u, apply(then, out_of_frame(turn_u, seen, turn_v)), turn_v);
    const T one = broadcast<T>(1.0);
    at.dissipation = 0.5 * inner(seen, stress);
    // For Newton's step the frames are taken to be one.
    at.viscosity = then;
    if (any(lag.lag != 1.0)) {
      const MaskOf<T> late = lag.lag == 1.0;
      IsotropicTangent<T> now = empty_form<T>();
      add_scaled(stiffness(elastic), c.first, now);
      const Matrix3<T> stress_now = apply(now, seen);
      at.dissipation = select(late, at.dissipation, 0.5 * inner(seen, stress_now));
      at.viscosity = empty_form<T>();
      add_scaled(then, select(late, one, T{}), at.viscosity);
      add_scaled(now, select(late, T{}, one), at.viscosity);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          stress.m[i][j] =
              lane_fma(lag.lag, stress.m[i][j] - stress_now.m[i][j], stress_now.m[i][j]);
    }
    at.stress = project(f, c, stress);
    at.dissipation = lane_max(at.dissipation, T{});
    at.viscosity = without_rotation(f, at.viscosity, c);
    return at;
  }

 private:
  template <class T>
  DASHPOT_INLINE static Matrix3<T> project(const PrincipalFrame<T>& f, const RateCoefficients<T>& c,
                                           Matrix3<T> x) {
    const MaskOf<T> conserve = c.second > 0.5;
    if (!any(conserve)) return x;
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p][0], j = kPairs[p][1];
      T a, b;
      unrotated(f, p, a, b);
      const T along = lane_fma(a, x.m[i][j], b * x.m[j][i]);
      x.m[i][j] = select(conserve, a * along, x.m[i][j]);
      x.m[j][i] = select(conserve, b * along, x.m[j][i]);
    }
    return x;
  }
};

}  // namespace dashpot
