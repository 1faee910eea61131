#pragma once

#include "solver/base/polar3.h"
#include "solver/dissipation/principal_frame.h"

namespace dashpot {

// Dissipation functions R(F, dF/dt) per rest volume (Pa/s) that are quadratic in the rate, each
// with the stress dR/d(dF/dt) that it exerts. A model says
//   measure       what it damps the rate of: the stretch tensor, Green's strain, or F itself
//   stage_rate    that rate by the stage's own linear rule, (measure - past) / h, in the frame
//   rate_of       that rate for a given dF/dt (in the frame)
//   stretch_rate  the rate of the stretch tensor for a given rate
//   smooth_step   a change of strain that Newton's method takes in one step
//   evaluate      R, its stress, and the stress's derivative with respect to F
// Applying the rule to the measure, not to F, makes R independent of F but for the measure: the
// minimiser of a stage has exactly the stress of the model, of the integrator's own order, and a
// spinning body has no strain rate (Brown et al. 2018 section 4.2's correction is not needed).
//
// Measures and rates are 3x3 matrices; those of tensors in the material's axes are symmetric.

template <class T>
struct RateCoefficients {
  // strainrate: psi, phi (Pa s). rayleigh, rayleighlagged, principalstrain: beta (s). stretchrate:
  // beta (Pa s).
  T first, second;
};

template <class T>
struct RateEvaluation {
  T dissipation;                  // R, Pa/s
  Matrix3<T> stress;              // in the frame, Pa
  IsotropicTangent<T> viscosity;  // d(stress)/d(rate of F), positive semidefinite, Pa s
  IsotropicTangent<T> geometry;   // what the stress adds to the stiffness, Pa
};

template <class T>
DASHPOT_INLINE IsotropicTangent<T> empty_form() {
  return isotropic_form(T{});
}

// (diag(s) or so, minus the past) / h
template <class T>
DASHPOT_INLINE Matrix3<T> rate_from(const Stretches<T>& now, const Matrix3<T>& past, T inverse_h) {
  Matrix3<T> rate;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rate.m[i][j] = inverse_h * ((i == j ? now[i] : T{}) - past.m[i][j]);
  return rate;
}

// A step of this strain leaves an error of its square, 1/50 of it.
constexpr double kSmoothStep = 0.02;

// A model of the rate of a tensor in the material's axes.
struct MaterialTensorModel {
  static constexpr bool kLagged = false;

  template <class T>
  DASHPOT_INLINE static T smooth_step(const PrincipalFrame<T>& f) {
    return kSmoothStep * f.s[2];
  }

  // A tensor in the frame, in the material's axes.
  template <class T>
  DASHPOT_INLINE static Matrix3<T> in_material(const PrincipalFrame<T>& f, const Matrix3<T>& rate) {
    return out_of_frame(f.v, rate, f.v);
  }
};

// Rate of the stretch tensor S: R = beta |dS/dt|^2, Brown et al. 2018 (75). Where F = Q S is known,
// no axes are needed for it.
struct StretchRate : MaterialTensorModel {
  // Without a frame, in the material's axes.
  template <class T>
  DASHPOT_INLINE static T dissipation(const RateCoefficients<T>& c, const Matrix3<T>& rate) {
    return c.first * inner(rate, rate);
  }
  // First Piola-Kirchhoff: 4 beta F X with S X + X S = dS/dt. With X = S^-1 (dS/dt + W) / 2, W is
  // skew, and S W + W S = S dS/dt - dS/dt S makes X symmetric.
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stress_at(const PolarDecomposition<T>& polar,
                                             const RateCoefficients<T>& c, const Matrix3<T>& rate) {
    const Matrix3<T> turning = skew_solution(polar.s, multiply(polar.s, rate));
    const T twice = 2.0 * c.first;
    Matrix3<T> tension;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) tension.m[i][j] = twice * (rate.m[i][j] + turning.m[i][j]);
    return multiply(polar.q, tension);
  }

  template <class T>
  DASHPOT_INLINE static Matrix3<T> measure(const PrincipalFrame<T>& f) {
    return compose(f.v, f.s, f.v);
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stage_rate(const PrincipalFrame<T>& f, const Matrix3<T>& past,
                                              T inverse_h) {
    return rate_from(f.s, into_frame(f.v, past, f.v), inverse_h);
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> rate_of(const PrincipalFrame<T>& f, const Matrix3<T>& a) {
    Matrix3<T> rate;
    for (int i = 0; i < 3; ++i) rate.m[i][i] = a.m[i][i];
    for (const auto& pair : kPairs) {
      const int i = pair[0], j = pair[1];
      const T sum = lane_max(f.s[i] + f.s[j], broadcast<T>(kFlatPair));
      rate.m[i][j] = rate.m[j][i] = lane_fma(f.s[i], a.m[i][j], f.s[j] * a.m[j][i]) / sum;
    }
    return rate;
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stretch_rate(const PrincipalFrame<T>& /*f*/,
                                                const Matrix3<T>& rate) {
    return rate;
  }

  template <class T>
  DASHPOT_INLINE static RateEvaluation<T> evaluate(const PrincipalFrame<T>& f,
                                                   const ElasticForm<T>&,
                                                   const RateCoefficients<T>& c,
                                                   const Matrix3<T>& rate) {
    const T twice = 2.0 * c.first;
    RateEvaluation<T> at;
    at.dissipation = c.first * inner(rate, rate);
    at.viscosity = isotropic_form(twice);
    at.geometry = empty_form<T>();
    for (int i = 0; i < 3; ++i) at.stress.m[i][i] = twice * rate.m[i][i];
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p][0], j = kPairs[p][1];
      const T inverse = 1.0 / lane_max(f.s[i] + f.s[j], broadcast<T>(kFlatPair));
      const T a = f.s[i] * inverse, b = f.s[j] * inverse;
      const T shear = 2.0 * twice * rate.m[i][j];
      at.stress.m[i][j] = shear * a;
      at.stress.m[j][i] = shear * b;
      const T stiffness = 2.0 * twice;
      at.viscosity.pair[p] = {stiffness * a * a, stiffness * a * b, stiffness * b * b};
      at.geometry.pair[p] = pair_form(T{}, (at.stress.m[i][i] + at.stress.m[j][j]) * inverse);
    }
    return at;
  }
};

// Rate of Green's strain E = (F^T F - 1)/2: R = psi |dE/dt|^2 + phi/2 tr^2 dE/dt, Brown et al. 2018
// (43). E is smooth in F, so that inverted elements need no special case, and a polynomial, so that
// no axes are needed for it.
struct StrainRate : MaterialTensorModel {
  // Without a frame, in the material's axes.
  template <class T>
  DASHPOT_INLINE static Matrix3<T> strain_of(const Matrix3<T>& F) {
    Matrix3<T> strain = symmetric_product(F, F);
    for (int i = 0; i < 3; ++i) strain.m[i][i] -= 1.0;
    for (auto& row : strain.m)
      for (T& entry : row) entry *= 0.5;
    return strain;
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> rate_at(const Matrix3<T>& F, const Matrix3<T>& change) {
    return symmetric_product(F, change);
  }
  template <class T>
  DASHPOT_INLINE static T dissipation(const RateCoefficients<T>& c, const Matrix3<T>& rate) {
    const T trace = rate.m[0][0] + rate.m[1][1] + rate.m[2][2];
    return lane_fma(c.first, inner(rate, rate), 0.5 * c.second * trace * trace);
  }
  // First Piola-Kirchhoff: F times the second.
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stress_at(const Matrix3<T>& F, const RateCoefficients<T>& c,
                                             const Matrix3<T>& rate) {
    const T twice = 2.0 * c.first;
    const T pressure = c.second * (rate.m[0][0] + rate.m[1][1] + rate.m[2][2]);
    Matrix3<T> tension;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        tension.m[i][j] = lane_fma(twice, rate.m[i][j], i == j ? pressure : T{});
    return multiply(F, tension);
  }

  template <class T>
  DASHPOT_INLINE static Matrix3<T> measure(const PrincipalFrame<T>& f) {
    return compose(f.v, strain(f.s), f.v);
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stage_rate(const PrincipalFrame<T>& f, const Matrix3<T>& past,
                                              T inverse_h) {
    return rate_from(strain(f.s), into_frame(f.v, past, f.v), inverse_h);
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> rate_of(const PrincipalFrame<T>& f, const Matrix3<T>& a) {
    Matrix3<T> rate;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        rate.m[i][j] = 0.5 * lane_fma(f.s[i], a.m[i][j], f.s[j] * a.m[j][i]);
    return rate;
  }
  template <class T>
  DASHPOT_INLINE static Matrix3<T> stretch_rate(const PrincipalFrame<T>& f, Matrix3<T> rate) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        rate.m[i][j] *= 2.0 / lane_max(f.s[i] + f.s[j], broadcast<T>(kFlatPair));
    return rate;
  }

  template <class T>
  DASHPOT_INLINE static RateEvaluation<T> evaluate(const PrincipalFrame<T>& f,
                                                   const ElasticForm<T>&,
                                                   const RateCoefficients<T>& c,
                                                   const Matrix3<T>& rate) {
    const T twice = 2.0 * c.first;
    const T trace = rate.m[0][0] + rate.m[1][1] + rate.m[2][2], pressure = c.second * trace;
    RateEvaluation<T> at;
    at.dissipation = lane_fma(c.first, inner(rate, rate), 0.5 * pressure * trace);
    Stretches<T> tension;  // second Piola-Kirchhoff stress along the axes
    for (int i = 0; i < 3; ++i) {
      tension[i] = lane_fma(twice, rate.m[i][i], pressure);
      at.stress.m[i][i] = f.s[i] * tension[i];
    }
    const Stretches<T> stiff = {c.second * f.s[0], c.second * f.s[1], c.second * f.s[2]};
    const T both = twice + c.second;
    at.viscosity.axes = {both * f.s[0] * f.s[0], both * f.s[1] * f.s[1], both * f.s[2] * f.s[2],
                         stiff[0] * f.s[1],      stiff[0] * f.s[2],      stiff[1] * f.s[2]};
    at.geometry = empty_form<T>();
    at.geometry.axes.xx = tension[0];
    at.geometry.axes.yy = tension[1];
    at.geometry.axes.zz = tension[2];
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p][0], j = kPairs[p][1];
      const T a = f.s[i], b = f.s[j], shear = twice * rate.m[i][j];
      at.stress.m[i][j] = a * shear;
      at.stress.m[j][i] = b * shear;
      at.viscosity.pair[p] = {c.first * a * a, c.first * a * b, c.first * b * b};
      at.geometry.pair[p] = {tension[j], T{}, tension[i]};
    }
    return at;
  }

 private:
  // The symmetric part of a^T b.
  template <class T>
  DASHPOT_INLINE static Matrix3<T> symmetric_product(const Matrix3<T>& a, const Matrix3<T>& b) {
    const Matrix3<T> product = multiply(transposed(a), b);
    Matrix3<T> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out.m[i][j] = 0.5 * (product.m[i][j] + product.m[j][i]);
    return out;
  }
  template <class T>
  DASHPOT_INLINE static Stretches<T> strain(const Stretches<T>& s) {
    const T half = broadcast<T>(0.5), minus = broadcast<T>(-0.5);
    return {lane_fma(half * s[0], s[0], minus), lane_fma(half * s[1], s[1], minus),
            lane_fma(half * s[2], s[2], minus)};
  }
};

// How much of a pair's turning counts as stretching: 0 where the axes are far apart for what they
// turn in a stage, 1 where they are one.
template <class T>
DASHPOT_INLINE T turning_share(T gap, T turn) {
  // A quarter of the way between the axes counts as half. Measured: at 1 instead of 4, stages of
  // stiff bodies end their budget twenty times above the tolerance.
  constexpr double kReach = 4.0, kTiny = 1e-40;
  const T reach = kReach * turn, squared = lane_fma(reach, reach, broadcast<T>(kTiny));
  return squared / lane_fma(gap, gap, squared);
}

// Rates of the principal stretches, in proportion to the stiffness against them: R = beta/2 r^T K r
// with K = d2Psi/ds2 made positive semidefinite, Brown et al. 2018 (53). Each principal stretch is
// compared with the past stretch along its own axis. Turning of the axes within the material is not
// damped, unless it is so fast (a large part of the way between two axes in one stage) that it
// cannot be told from stretching: where two stretches are equal their axes are arbitrary, and R
// would depend on the choice. coefficients.second: h.
struct PrincipalStrain : StretchRate {
  // None: kinks, where two stretches meet, are anywhere near rest. Measured: with steps of 2e-4,
  // some stages of stiff bodies end their budget above 1e-3.
  template <class T>
  DASHPOT_INLINE static T smooth_step(const PrincipalFrame<T>& /*f*/) {
    return T{};
  }

  template <class T>
  DASHPOT_INLINE static RateEvaluation<T> evaluate(const PrincipalFrame<T>& f,
                                                   const ElasticForm<T>& elastic,
                                                   const RateCoefficients<T>& c,
                                                   const Matrix3<T>& rate) {
    IsotropicTangent<T> form = empty_form<T>();
    form.axes = bounded_axes(elastic.axes, T{});
    RateEvaluation<T> at;
    at.viscosity = empty_form<T>();
    add_scaled(form, c.first, at.viscosity);
    at.geometry = empty_form<T>();
    at.stress = apply(at.viscosity, rate);
    at.dissipation =
        0.5 * lane_fma(at.stress.m[0][0], rate.m[0][0],
                       lane_fma(at.stress.m[1][1], rate.m[1][1], at.stress.m[2][2] * rate.m[2][2]));
    for (int p = 0; p < 3; ++p) {
      const int i = kPairs[p][0], j = kPairs[p][1];
      const T inverse = 1.0 / lane_max(f.s[i] + f.s[j], broadcast<T>(kFlatPair));
      const T a = f.s[i] * inverse, b = f.s[j] * inverse;
      const T viscosity = 2.0 * c.first * lane_max(elastic.shear[p], T{}) *
                          turning_share(f.s[i] - f.s[j], c.second * rate.m[i][j]);
      const T shear = viscosity * rate.m[i][j];
      at.stress.m[i][j] = shear * a;
      at.stress.m[j][i] = shear * b;
      at.dissipation = lane_fma(0.5 * shear, rate.m[i][j], at.dissipation);
      at.viscosity.pair[p] = {viscosity * a * a, viscosity * a * b, viscosity * b * b};
      at.geometry.pair[p] = pair_form(T{}, (at.stress.m[i][i] + at.stress.m[j][j]) * inverse);
    }
    return at;
  }
};

}  // namespace dashpot
