#pragma once

#include "solver/elasticity/newton_prox.h"
#include "solver/elasticity/stretches.h"

namespace dashpot {

// St Venant-Kirchhoff: e_i = (q(s_i) - 1)/2, mu sum e_i^2 + lambda/2 (sum e_i)^2, where q(s) = s^2
// down to s = 0.5. Below, q'' falls linearly from 2 to 0 at s = 0.25, and q is linear from there
// on (twice continuously differentiable throughout).
//
// Why: with q = s^2 everywhere the stress vanishes in a collapsed element and an inverted one
// (s = -1) is at rest. With q' >= 0.75 both are pushed back.
struct Stvk {
  static constexpr double kQuadratic = 0.5;  // q = s^2 above this stretch
  static constexpr double kLinear = 0.25;    // q linear below this stretch

  template <class T>
  DASHPOT_INLINE static T value(const Stretches<T>& s, const Lame<T>& lame) {
    return evaluate(s, lame).value;
  }
  template <class T>
  DASHPOT_INLINE static Stretches<T> gradient(const Stretches<T>& s, const Lame<T>& lame) {
    return evaluate(s, lame).gradient;
  }
  template <class T>
  DASHPOT_INLINE static StretchHessian<T> hessian(const Stretches<T>& s, const Lame<T>& lame) {
    return evaluate(s, lame).hessian;
  }

  // Largest eigenvalue of the Hessian with respect to F at rest (Pa): that of pure dilation.
  static double curvature(double mu, double lambda) { return 2.0 * mu + 3.0 * lambda; }

  // argmin_s value(s) + k/2 |s - p|^2, k > 0 in Pa; `start` is any finite guess.
  template <class T>
  DASHPOT_INLINE static Stretches<T> prox(const Stretches<T>& p, const Lame<T>& lame, T k,
                                          const Stretches<T>& start) {
    return newton_prox<Stvk>(p, lame, k, start);
  }

  template <class T>
  DASHPOT_INLINE static StretchEvaluation<T> evaluate(const Stretches<T>& s, const Lame<T>& lame);

  // For newton_prox: none, one, two or all stretches compressed.
  static constexpr int kBranches = 4;

  template <class T>
  DASHPOT_INLINE static T branch_start(int branch, T p, T rank) {
    const T low = lane_min(p, broadcast<T>(kLinear)), high = lane_max(p, broadcast<T>(1.0));
    return select(rank < branch - 0.5, low, high);
  }

  template <class T>
  DASHPOT_INLINE static MaskOf<T> certainly_global(T value, T pressure, const Stretches<T>& p,
                                                   const Lame<T>& lame, T k);
};

template <class T>
DASHPOT_INLINE StretchEvaluation<T> Stvk::evaluate(const Stretches<T>& s, const Lame<T>& lame) {
  Stretches<T> e, slope, bend;  // e, e', e''
  for (int i = 0; i < 3; ++i) {
    // With u = s - 1/4, w = max(u, 0): q = 1/24 + 3/4 u + 4/3 w^3, q' = 3/4 + 4 w^2, q'' = 8 w.
    const T u = s[i] - kLinear, w = lane_max(u, T{}), w2 = w * w;
    const T below =
        lane_fma(2.0 / 3.0 * w, w2, lane_fma(u, broadcast<T>(0.375), broadcast<T>(-23.0 / 48.0)));
    const MaskOf<T> above = s[i] >= kQuadratic;
    e[i] = select(above, lane_fma(0.5 * s[i], s[i], broadcast<T>(-0.5)), below);
    slope[i] = select(above, s[i], lane_fma(w2, broadcast<T>(2.0), broadcast<T>(0.375)));
    bend[i] = lane_min(4.0 * w, broadcast<T>(1.0));
  }
  const T trace = sum(e), twice_mu = 2.0 * lame.mu;

  StretchEvaluation<T> at;
  at.pressure = lame.lambda * trace;
  at.value = lane_fma(lame.mu, dot(e, e), 0.5 * at.pressure * trace);
  for (int i = 0; i < 3; ++i) {
    const T stress = lane_fma(twice_mu, e[i], at.pressure);
    at.gradient[i] = stress * slope[i];
    at.hessian.diagonal[i] = lane_fma(twice_mu * slope[i], slope[i], stress * bend[i]);
  }
  at.hessian.direction = slope;
  at.hessian.rank_one = lame.lambda;
  return at;
}

template <class T>
DASHPOT_INLINE MaskOf<T> Stvk::certainly_global(T value, T pressure, const Stretches<T>& p,
                                                const Lame<T>& lame, T k) {
  // g'' = 2 mu e'^2 + (2 mu e + y) e'' + k is smallest at s = 1/2 if y <= 0, where it is
  // y + k - mu/4; it is positive throughout if y >= mu.
  const T quarter = 0.25 * lame.mu;
  MaskOf<T> global = ((k >= quarter) & (pressure >= quarter - k)) | (pressure >= lame.mu);
  if (any(mask_not(global))) {
    // The global minimum is no higher than this one, which bounds its distance from p; above
    // s = 1/2, g'' = 3 mu s^2 - mu + y + k.
    const T low = smallest(p) - lane_sqrt(2.0 * lane_max(value, T{}) / k);
    const T bend = lane_fma(3.0 * lame.mu * low, low, k - lame.mu);
    global = global | ((low >= kQuadratic) & (bend >= -pressure));
  }
  return global;
}

}  // namespace dashpot
