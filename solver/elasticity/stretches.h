#pragma once

#include "solver/base/simd.h"
#include "solver/elasticity/stretch_types.h"

namespace dashpot {

// diag(diagonal) + rank_one * direction direction^T. Every material's Hessian has this form,
// because each couples its stretches only through a volume-like sum.
template <class T>
struct StretchHessian {
  Stretches<T> diagonal, direction;
  T rank_one;
};

// Everything Newton's method asks about one point, computed together.
template <class T>
struct StretchEvaluation {
  T value;  // Pa: energy per rest volume
  Stretches<T> gradient;
  StretchHessian<T> hessian;
  T pressure;  // lambda times the volume measure: how hard volume pushes back
};

template <class T>
DASHPOT_INLINE T sum(const Stretches<T>& s) {
  return s[0] + s[1] + s[2];
}

template <class T>
DASHPOT_INLINE T dot(const Stretches<T>& a, const Stretches<T>& b) {
  return lane_fma(a[2], b[2], lane_fma(a[1], b[1], a[0] * b[0]));
}

template <class T>
DASHPOT_INLINE T smallest(const Stretches<T>& s) {
  return lane_min(lane_min(s[0], s[1]), s[2]);
}

template <class T>
DASHPOT_INLINE T largest_magnitude(const Stretches<T>& s) {
  return lane_max(lane_max(lane_abs(s[0]), lane_abs(s[1])), lane_abs(s[2]));
}

template <class T>
DASHPOT_INLINE Stretches<T> select(MaskOf<T> mask, const Stretches<T>& a, const Stretches<T>& b) {
  return {select(mask, a[0], b[0]), select(mask, a[1], b[1]), select(mask, a[2], b[2])};
}

}  // namespace dashpot
