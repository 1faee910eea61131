#pragma once

#include "solver/elasticity/stretches.h"

namespace dashpot {

// Linear elasticity in the rotated frame: mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2.
struct Corotated {
  template <class T>
  DASHPOT_INLINE static T value(const Stretches<T>& s, const Lame<T>& lame) {
    const Stretches<T> x = strain(s);
    const T trace = sum(x);
    return lane_fma(lame.mu, dot(x, x), 0.5 * lame.lambda * trace * trace);
  }

  template <class T>
  DASHPOT_INLINE static Stretches<T> gradient(const Stretches<T>& s, const Lame<T>& lame) {
    const Stretches<T> x = strain(s);
    const T stiffness = 2.0 * lame.mu, pressure = lame.lambda * sum(x);
    return {lane_fma(stiffness, x[0], pressure), lane_fma(stiffness, x[1], pressure),
            lane_fma(stiffness, x[2], pressure)};
  }

  template <class T>
  DASHPOT_INLINE static StretchHessian<T> hessian(const Stretches<T>&, const Lame<T>& lame) {
    const T stiffness = 2.0 * lame.mu, one = broadcast<T>(1.0);
    return {{stiffness, stiffness, stiffness}, {one, one, one}, lame.lambda};
  }

  // Largest eigenvalue of the Hessian with respect to F at rest (Pa): that of pure dilation.
  static double curvature(double mu, double lambda) { return 2.0 * mu + 3.0 * lambda; }

  // argmin_s value(s) + k/2 |s - p|^2, k > 0 in Pa; closed form, so it needs no start.
  template <class T>
  DASHPOT_INLINE static Stretches<T> prox(const Stretches<T>& p, const Lame<T>& lame, T k,
                                          const Stretches<T>& /*start*/) {
    // Sherman-Morrison on (2 mu + k) I + lambda 1 1^T.
    const Stretches<T> q = strain(p);
    const T stiffness = lane_fma(broadcast<T>(2.0), lame.mu, k), one = broadcast<T>(1.0);
    const T dilation = lane_fma(broadcast<T>(3.0), lame.lambda, stiffness);
    const T inverse = 1.0 / (stiffness * dilation);
    const T shrink = k * dilation * inverse;
    const T shift = lane_fma(-(lame.lambda * k * inverse), sum(q), one);
    return {lane_fma(shrink, q[0], shift), lane_fma(shrink, q[1], shift),
            lane_fma(shrink, q[2], shift)};
  }

 private:
  template <class T>
  DASHPOT_INLINE static Stretches<T> strain(const Stretches<T>& s) {
    return {s[0] - 1.0, s[1] - 1.0, s[2] - 1.0};
  }
};

}  // namespace dashpot
