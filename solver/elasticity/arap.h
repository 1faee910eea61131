#pragma once

#include "solver/elasticity/stretches.h"

namespace dashpot {

// As rigid as possible: mu sum (s_i - 1)^2. Poisson's ratio has no effect on it.
struct Arap {
  template <class T>
  DASHPOT_INLINE static T value(const Stretches<T>& s, const Lame<T>& lame) {
    const Stretches<T> x = strain(s);
    return lame.mu * dot(x, x);
  }

  template <class T>
  DASHPOT_INLINE static Stretches<T> gradient(const Stretches<T>& s, const Lame<T>& lame) {
    const Stretches<T> x = strain(s);
    const T stiffness = 2.0 * lame.mu;
    return {stiffness * x[0], stiffness * x[1], stiffness * x[2]};
  }

  template <class T>
  DASHPOT_INLINE static StretchHessian<T> hessian(const Stretches<T>&, const Lame<T>& lame) {
    const T stiffness = 2.0 * lame.mu, one = broadcast<T>(1.0);
    return {{stiffness, stiffness, stiffness}, {one, one, one}, T{}};
  }

  // Largest eigenvalue of the Hessian with respect to F at rest (Pa).
  static double curvature(double mu, double /*lambda*/) { return 2.0 * mu; }

  // argmin_s value(s) + k/2 |s - p|^2, k > 0 in Pa; closed form, so it needs no start.
  template <class T>
  DASHPOT_INLINE static Stretches<T> prox(const Stretches<T>& p, const Lame<T>& lame, T k,
                                          const Stretches<T>& /*start*/) {
    const Stretches<T> q = strain(p);
    const T shrink = k / lane_fma(broadcast<T>(2.0), lame.mu, k), one = broadcast<T>(1.0);
    return {lane_fma(shrink, q[0], one), lane_fma(shrink, q[1], one), lane_fma(shrink, q[2], one)};
  }

 private:
  template <class T>
  DASHPOT_INLINE static Stretches<T> strain(const Stretches<T>& s) {
    return {s[0] - 1.0, s[1] - 1.0, s[2] - 1.0};
  }
};

}  // namespace dashpot
