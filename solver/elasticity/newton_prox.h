#pragma once

#include "solver/elasticity/stretches.h"

namespace dashpot {

// argmin_s Material::value(s) + k/2 |s - p|^2 by Newton's method, for materials whose energy is
//   sum psi(s_i) + lambda/2 (sum m(s_i))^2,   psi >= 0,  m increasing,  lambda >= 0.
// A lane that has converged is frozen, so an element's result never depends on its neighbours.
//
// Which minimum. For every number y (and so for the pressure y = lambda sum m at a stationary s*)
//   f(s) >= sum g_i(s_i) - y^2 / (2 lambda),   g_i = psi + y m + k/2 (. - p_i)^2,
// with equality at s*. If every g_i is convex wherever the global minimiser can lie, s* is it:
// that is Material::certainly_global, which a simulated element almost always passes. Otherwise
// there may be minima with some stretches compressed and the others not. Exchanging two stretches
// changes f by k (p_i - p_j)(s_i - s_j) only, so the compressed ones are those with the smallest
// p_i, and Material::kBranches starts see them all.
template <class Material, class T>
Stretches<T> newton_prox(const Stretches<T>& p, const Lame<T>& lame, T k,
                         const Stretches<T>& start);

namespace newton_prox_detail {

template <class Material, class T>
struct Objective {
  Stretches<T> p;
  Lame<T> lame;
  T k;

  DASHPOT_INLINE StretchEvaluation<T> operator()(const Stretches<T>& s) const {
    StretchEvaluation<T> at = Material::evaluate(s, lame);
    const Stretches<T> d = {s[0] - p[0], s[1] - p[1], s[2] - p[2]};
    at.value = lane_fma(0.5 * k, dot(d, d), at.value);
    for (int i = 0; i < 3; ++i) {
      at.gradient[i] = lane_fma(k, d[i], at.gradient[i]);
      at.hessian.diagonal[i] += k;
    }
    return at;
  }
};

// -H^-1 g by Cramer's rule: one division, and none by a diagonal entry that may vanish.
template <class T>
DASHPOT_INLINE Stretches<T> solve(const Stretches<T>& d, const Stretches<T>& a, T rank_one,
                                  const Stretches<T>& g, T& determinant) {
  const T d12 = d[1] * d[2], d02 = d[0] * d[2], d01 = d[0] * d[1];
  const Stretches<T> b = {rank_one * a[0], rank_one * a[1], rank_one * a[2]};
  const T minors = lane_fma(b[0] * a[0], d12, lane_fma(b[1] * a[1], d02, b[2] * a[2] * d01));
  determinant = lane_fma(d[0], d12, minors);
  const T scale = -1.0 / determinant;
  const T g01 = lane_fma(a[1], g[0], -(a[0] * g[1]));
  const T g02 = lane_fma(a[2], g[0], -(a[0] * g[2]));
  const T g12 = lane_fma(a[2], g[1], -(a[1] * g[2]));
  const T x0 = lane_fma(g[0], d12, lane_fma(b[1] * d[2], g01, b[2] * d[1] * g02));
  const T x1 = lane_fma(g[1], d02, lane_fma(b[2] * d[0], g12, -(b[0] * d[2] * g01)));
  const T x2 = lane_fma(g[2], d01, -lane_fma(b[0] * d[1], g02, b[1] * d[0] * g12));
  return {x0 * scale, x1 * scale, x2 * scale};
}

// Newton's step where the Hessian is positive definite, else that of the Hessian with the
// diagonal made positive, which still goes downhill.
template <class T>
DASHPOT_INLINE Stretches<T> downhill_step(const StretchEvaluation<T>& at, T k) {
  const StretchHessian<T>& h = at.hessian;
  const Stretches<T>& d = h.diagonal;
  T determinant;
  Stretches<T> step = solve(d, h.direction, h.rank_one, at.gradient, determinant);
  // A rank-one term can lift one negative eigenvalue, not two.
  const T low = lane_min(d[0], d[1]), high = lane_max(d[0], d[1]);
  const T second_smallest = lane_max(low, lane_min(high, d[2]));
  const MaskOf<T> indefinite = mask_not((second_smallest > 0.0) & (determinant > 0.0));
  if (any(indefinite)) {
    const T floor = 0.1 * k;
    const Stretches<T> positive = {lane_max(lane_abs(d[0]), floor), lane_max(lane_abs(d[1]), floor),
                                   lane_max(lane_abs(d[2]), floor)};
    const Stretches<T> safe = solve(positive, h.direction, h.rank_one, at.gradient, determinant);
    step = select<T>(indefinite, safe, step);
  }
  return step;
}

template <class T>
DASHPOT_INLINE Stretches<T> advance(const Stretches<T>& s, T t, const Stretches<T>& step) {
  return {lane_fma(t, step[0], s[0]), lane_fma(t, step[1], s[1]), lane_fma(t, step[2], s[2])};
}

template <class T>
struct Minimum {
  Stretches<T> s;
  T value, pressure;
};

// Descends from s in the active lanes.
template <class Function, class T>
DASHPOT_INLINE Minimum<T> descend(const Function& f, Stretches<T> s, MaskOf<T> active) {
  constexpr int kMaxIterations = 40, kMaxHalvings = 40;
  // Convergence is quadratic: the step after one of kLast would be below 1e-12.
  constexpr double kLast = 1e-8;
  // Below this the decrease drowns in the rounding error of the value: no line search.
  constexpr double kUnsearched = 1e-5;
  constexpr double kArmijo = 1e-4;

  const T one = broadcast<T>(1.0);
  StretchEvaluation<T> at = f(s);
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    const Stretches<T> step = downhill_step(at, f.k);
    const T length = largest_magnitude(step), size = 1.0 + largest_magnitude(s);
    const MaskOf<T> last = active & (length <= kLast * size);
    s = select<T>(last, advance(s, one, step), s);
    active = active & (length > kLast * size);
    if (!any(active)) break;

    const T slope = dot(at.gradient, step);
    const MaskOf<T> searched = active & (length > kUnsearched * size);
    T t = one;
    Stretches<T> trial = select<T>(active, advance(s, t, step), s);
    StretchEvaluation<T> next = f(trial);
    MaskOf<T> rejected = searched & mask_not(next.value <= lane_fma(kArmijo * t, slope, at.value));
    for (int halving = 0; halving < kMaxHalvings && any(rejected); ++halving) {
      t = select(rejected, 0.5 * t, t);
      trial = select<T>(active, advance(s, t, step), s);
      next = f(trial);
      rejected = rejected & mask_not(next.value <= lane_fma(kArmijo * t, slope, at.value));
    }
    s = trial;
    at = next;
  }
  return {s, at.value, at.pressure};
}

// The stretches whose p_i is among the `count` smallest start compressed, the others at p.
template <class Material, class T>
DASHPOT_INLINE Stretches<T> branch_start(const Stretches<T>& p, int branch) {
  Stretches<T> s;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    // Ties go by index, so that ranks are always 0, 1, 2.
    const MaskOf<T> above_j = i < j ? p[i] > p[j] : p[i] >= p[j];
    const MaskOf<T> above_k = i < k ? p[i] > p[k] : p[i] >= p[k];
    const T one = broadcast<T>(1.0);
    const T rank = select(above_j, one, T{}) + select(above_k, one, T{});
    s[i] = Material::branch_start(branch, p[i], rank);
  }
  return s;
}

// Rare: kept out of line so that the common path stays small.
template <class Material, class T>
__attribute__((noinline)) void try_other_minima(const Objective<Material, T>& f,
                                                const MaskOf<T>& doubtful, Minimum<T>& best) {
  // The warm-started minimum wins ties.
  constexpr double kBetter = 1.0 - 1e-12;
  for (int branch = 0; branch < Material::kBranches; ++branch) {
    const Minimum<T> other = descend(f, branch_start<Material>(f.p, branch), doubtful);
    const MaskOf<T> better = doubtful & (other.value < kBetter * best.value);
    best.s = select<T>(better, other.s, best.s);
    best.value = select(better, other.value, best.value);
  }
}

}  // namespace newton_prox_detail

template <class Material, class T>
DASHPOT_INLINE Stretches<T> newton_prox(const Stretches<T>& p, const Lame<T>& lame, T k,
                                        const Stretches<T>& start) {
  using namespace newton_prox_detail;
  const Objective<Material, T> f = {p, lame, k};
  Stretches<T> s;
  for (int i = 0; i < 3; ++i) {
    // A stale start far away would only cost iterations.
    const T low = lane_min(p[i], T{}) - 1.0, high = lane_max(p[i], broadcast<T>(1.0)) + 1.0;
    s[i] = lane_max(low, lane_min(start[i], high));
  }
  const MaskOf<T> all = k > 0.0;
  Minimum<T> minimum = descend(f, s, all);
  const MaskOf<T> doubtful =
      mask_not(Material::certainly_global(minimum.value, minimum.pressure, p, lame, k));
  if (any(doubtful)) try_other_minima<Material, T>(f, doubtful, minimum);
  return minimum.s;
}

}  // namespace dashpot
