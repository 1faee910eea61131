#pragma once

#include "solver/base/simd_math.h"
#include "solver/elasticity/newton_prox.h"
#include "solver/elasticity/stretches.h"

namespace dashpot {

// sum [mu/2 (s_i^2 - 1) - mu l(s_i)] + lambda/2 (sum l(s_i))^2, where l is the logarithm down to
// s0 = 0.2 and its quadratic Taylor polynomial below (twice continuously differentiable), so that
// energy and force are finite for collapsed and inverted elements.
//
// Why per stretch: an extension in J = s_1 s_2 s_3 alone has zero gradient in a fully collapsed
// element (dJ/ds_i = 0 at s = 0), which would then never recover. Extending each stretch's
// logarithm keeps a restoring force in every direction. (Pixar's stable neo-Hookean, which also
// recovers, is patented and not used.)
struct NeoHookean {
  static constexpr double kThreshold = 0.2;  // s0

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
    return newton_prox<NeoHookean>(p, lame, k, start);
  }

  template <class T>
  DASHPOT_INLINE static StretchEvaluation<T> evaluate(const Stretches<T>& s, const Lame<T>& lame);

  // For newton_prox.
  static constexpr int kBranches = 4;

  template <class T>
  DASHPOT_INLINE static T branch_start(int branch, T p, T rank) {
    // Volume can be kept by all stretches together, or by squeezing one while the others follow p.
    constexpr double kNotSqueezed = 1e300;
    constexpr double kSqueezed[kBranches] = {kNotSqueezed, 1.0, 0.4, 0.0};
    const T low = lane_min(p, broadcast<T>(kSqueezed[branch]));
    return select(rank < 0.5, low, lane_max(p, broadcast<T>(kThreshold)));
  }

  template <class T>
  DASHPOT_INLINE static MaskOf<T> certainly_global(T value, T pressure, const Stretches<T>& p,
                                                   const Lame<T>& lame, T k);
};

template <class T>
DASHPOT_INLINE StretchEvaluation<T> NeoHookean::evaluate(const Stretches<T>& s,
                                                         const Lame<T>& lame) {
  const T s0 = broadcast<T>(kThreshold), one = broadcast<T>(1.0);
  // With c = max(s, s0) and t = min(s - s0, 0) / s0 both sides of the threshold read alike:
  // l = log c + t - t^2/2, l' = (1 - t) / c, l'' = -1 / c^2.
  Stretches<T> c, t;
  T extension = T{};
  for (int i = 0; i < 3; ++i) {
    c[i] = lane_max(s[i], s0);
    t[i] = (lane_min(s[i], s0) - s0) * (1.0 / kThreshold);
    extension = lane_fma(t[i], lane_fma(t[i], broadcast<T>(-0.5), one), extension);
  }
  // One division and one logarithm serve all three stretches.
  const T c01 = c[0] * c[1], volume = c01 * c[2], inverse_volume = 1.0 / volume;
  const Stretches<T> inverse = {c[1] * c[2] * inverse_volume, c[0] * c[2] * inverse_volume,
                                c01 * inverse_volume};
  const T log_volume = lane_log(volume) + extension;

  StretchEvaluation<T> at;
  at.pressure = lame.lambda * log_volume;
  at.value = lane_fma(lame.mu, lane_fma(broadcast<T>(0.5), dot(s, s) - 3.0, -log_volume),
                      0.5 * at.pressure * log_volume);
  const T net = lane_fma(lame.lambda, log_volume, -lame.mu);
  for (int i = 0; i < 3; ++i) {
    const T slope = lane_fma(-t[i], inverse[i], inverse[i]);
    at.gradient[i] = lane_fma(lame.mu, s[i], net * slope);
    at.hessian.diagonal[i] = lane_fma(-(net * inverse[i]), inverse[i], lame.mu);
    at.hessian.direction[i] = slope;
  }
  at.hessian.rank_one = lame.lambda;
  return at;
}

template <class T>
DASHPOT_INLINE MaskOf<T> NeoHookean::certainly_global(T value, T pressure, const Stretches<T>& p,
                                                      const Lame<T>& lame, T k) {
  // g'' = mu + k - (y - mu) / max(s, s0)^2 is smallest at and below s0.
  const T stiffness = lame.mu + k;
  constexpr double kThreshold2 = kThreshold * kThreshold;
  MaskOf<T> global = pressure <= lane_fma(broadcast<T>(kThreshold2), stiffness, lame.mu);
  if (any(mask_not(global))) {
    // The global minimum is no higher than this one, which bounds its distance from p.
    const T low = smallest(p) - lane_sqrt(2.0 * lane_max(value, T{}) / k);
    global = global | ((low > kThreshold) & (pressure <= lane_fma(low * low, stiffness, lame.mu)));
  }
  return global;
}

}  // namespace dashpot
