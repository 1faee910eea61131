#pragma once

#include "solver/dissipation/power_law.h"
#include "solver/dissipation/ramp_scale.h"
#include "solver/dissipation/rate_models.h"
#include "solver/dissipation/rayleigh.h"

namespace dashpot {

// What the prox of a damped element knows: F minimises
//   Psi(F) + h R(F, rate) + k/2 |F - p|^2.
template <class T>
struct DampedElement {
  Lame<T> lame;
  RateCoefficients<T> coefficients;
  PowerLaw<T> law;
  Matrix3<T> past;  // of the model's measure
  T inverse_h;
  T k;                                    // Pa
  const LaggedForm<T>* lagged = nullptr;  // only for models with kLagged
  const ElementRamp* ramps = nullptr;     // one per lane; nullptr: no lane has one
};

// How far the iteration goes: until a step is below `relative` times the first one. Newton's error
// is quadratic in the step: one that is below `small` times Model::smooth_step
// is the last, and what it leaves is below what the ADMM iteration around it still changes.
struct ProxAccuracy {
  double relative = 1e-3;
  int iterations = 30;
  double small = 1;
};

namespace damped_prox_detail {

template <class T>
struct Balance {
  PrincipalFrame<T> frame;
  Matrix3<T> force;  // gradient of the objective, in the frame
  Matrix3<T> step;   // Newton's, in the frame
};

// Pulls a 2x2 block up until it is positive definite.
template <class T>
DASHPOT_INLINE void project_psd(typename IsotropicTangent<T>::Pair& pair, T least) {
  const T mean = 0.5 * (pair.first + pair.second), half = 0.5 * (pair.first - pair.second);
  const T lowest = mean - lane_sqrt(lane_fma(half, half, pair.mixed * pair.mixed));
  const T missing = lane_max(least - lowest, T{});
  pair.first += missing;
  pair.second += missing;
}

template <class T>
DASHPOT_INLINE IsotropicTangent<T> elastic_stiffness(const ElasticForm<T>& elastic, T k) {
  constexpr double kLeast = 0.1;  // of k
  IsotropicTangent<T> form;
  form.axes = bounded_axes(elastic.axes, (kLeast - 1.0) * k);
  form.axes.xx += k;
  form.axes.yy += k;
  form.axes.zz += k;
  for (int p = 0; p < 3; ++p) {
    form.pair[p] = pair_form(elastic.shear[p], elastic.turn[p]);
    form.pair[p].first += k;
    form.pair[p].second += k;
  }
  return form;
}

// -H^-1 force, where the power law adds slope/h stress stress^T to H.
template <class T>
DASHPOT_INLINE Matrix3<T> newton_step(const IsotropicTangent<T>& h, const Matrix3<T>& force,
                                      const Matrix3<T>& stress, T rank_one, bool linear) {
  Matrix3<T> step = solve(h, force);
  T share = T{};
  Matrix3<T> bend{};
  if (!linear) {
    constexpr double kLeast = 0.02;
    bend = solve(h, stress);
    const T denominator = lane_fma(rank_one, inner(stress, bend), broadcast<T>(1.0));
    share = rank_one * inner(stress, step) / lane_max(denominator, broadcast<T>(kLeast));
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) step.m[i][j] = lane_fma(share, bend.m[i][j], -step.m[i][j]);
  return step;
}

template <class Model, class T>
DASHPOT_INLINE RateEvaluation<T> rate_evaluation(const DampedElement<T>& e,
                                                 const PrincipalFrame<T>& f,
                                                 const ElasticForm<T>& elastic) {
  return ramped_evaluation<Model>(e.ramps, e.law, f, Model::stage_rate(f, e.past, e.inverse_h),
                                  1.0 / e.inverse_h, [&](const Matrix3<T>& rate) {
                                    if constexpr (Model::kLagged)
                                      return Model::evaluate_lagged(f, elastic, *e.lagged,
                                                                    e.coefficients, rate);
                                    else
                                      return Model::evaluate(f, elastic, e.coefficients, rate);
                                  });
}

// The stress of the energy and of the damping, in the frame.
template <class T>
DASHPOT_INLINE Matrix3<T> total_stress(const ElasticForm<T>& elastic, const RateEvaluation<T>& rate,
                                       const RateFactor<T>& factor) {
  Matrix3<T> stress;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      stress.m[i][j] =
          lane_fma(factor.value, rate.stress.m[i][j], i == j ? elastic.stress[i] : T{});
  return stress;
}

template <class Material, class Model, class T>
DASHPOT_INLINE Balance<T> balance(const DampedElement<T>& e, const Matrix3<T>& p,
                                  const Matrix3<T>& F) {
  Balance<T> at;
  at.frame = make_frame(F);
  const PrincipalFrame<T>& f = at.frame;
  const ElasticForm<T> elastic = elastic_form<Material>(f.s, e.lame);
  const RateEvaluation<T> rate = rate_evaluation<Model>(e, f, elastic);
  const RateFactor<T> factor = rate_factor(e.law, rate.dissipation, e.inverse_h);

  const Matrix3<T> target = into_frame(f.u, p, f.v);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const T stress = i == j ? lane_fma(e.k, f.s[i], elastic.stress[i]) : T{};
      at.force.m[i][j] =
          lane_fma(factor.value, rate.stress.m[i][j], lane_fma(-e.k, target.m[i][j], stress));
    }

  IsotropicTangent<T> h = elastic_stiffness(elastic, e.k);
  add_scaled(rate.viscosity, factor.value * e.inverse_h, h);
  IsotropicTangent<T> bent = h;
  add_scaled(rate.geometry, factor.value, bent);
  // Where the geometry would make an axis concave it is left out.
  const T least = 0.1 * e.k;
  bent.axes.xx = lane_max(bent.axes.xx, h.axes.xx);
  bent.axes.yy = lane_max(bent.axes.yy, h.axes.yy);
  bent.axes.zz = lane_max(bent.axes.zz, h.axes.zz);
  for (auto& pair : bent.pair) project_psd(pair, least);
  at.step = newton_step(bent, at.force, rate.stress, factor.slope * e.inverse_h, is_linear(e.law));
  return at;
}

template <class T>
DASHPOT_INLINE T largest_entry(const Matrix3<T>& a) {
  T largest = T{};
  for (const auto& row : a.m)
    for (const T& entry : row) largest = lane_max(largest, lane_abs(entry));
  return largest;
}

template <class T>
DASHPOT_INLINE Matrix3<T> select3(MaskOf<T> mask, const Matrix3<T>& a, const Matrix3<T>& b) {
  Matrix3<T> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.m[i][j] = select(mask, a.m[i][j], b.m[i][j]);
  return out;
}

template <class T>
DASHPOT_INLINE Matrix3<T> moved(const Matrix3<T>& F, T t, const Matrix3<T>& step) {
  Matrix3<T> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out.m[i][j] = lane_fma(t, step.m[i][j], F.m[i][j]);
  return out;
}

}  // namespace damped_prox_detail

// What the F of a frame is pulled by in this stage, but for k: dPsi/dF plus the stress of the
// damping.
template <class Material, class Model, class T>
DASHPOT_INLINE Matrix3<T> stage_stress(const DampedElement<T>& e, const PrincipalFrame<T>& frame) {
  using namespace damped_prox_detail;
  const ElasticForm<T> elastic = elastic_form<Material>(frame.s, e.lame);
  const RateEvaluation<T> rate = rate_evaluation<Model>(e, frame, elastic);
  const RateFactor<T> factor = rate_factor(e.law, rate.dissipation, e.inverse_h);
  return out_of_frame(frame.u, total_stress(elastic, rate, factor), frame.v);
}

// The stationary F near `start`, in the active lanes; other lanes return their start. Newton's
// method on the balance of stresses. A step is refused, and halved, when the force at its end
// pushes back harder than half of what drove it.
template <class Material, class Model, class T>
DASHPOT_INLINE Matrix3<T> damped_prox(const DampedElement<T>& e, const Matrix3<T>& p,
                                      Matrix3<T> start, MaskOf<T> active,
                                      const ProxAccuracy& accuracy = {}) {
  using namespace damped_prox_detail;
  constexpr int kMaxHalvings = 12;
  constexpr double kRounding = 1e-14, kOvershoot = 0.5;
  const T one = broadcast<T>(1.0);
  Matrix3<T> F = start;
  Balance<T> at = balance<Material, Model>(e, p, F);
  T enough = T{};
  for (int iteration = 0; iteration < accuracy.iterations; ++iteration) {
    const T length = largest_entry(at.step);
    const T rounding = kRounding * (1.0 + lane_abs(at.frame.s[0]));
    if (iteration == 0) enough = accuracy.relative * length;
    const Matrix3<T> step = out_of_frame(at.frame.u, at.step, at.frame.v);
    T last_length = lane_max(enough, rounding);
    if (is_linear(e.law))
      last_length = lane_max(last_length, accuracy.small * Model::smooth_step(at.frame));
    const MaskOf<T> last = active & (length <= last_length);
    F = select3(last, moved(F, one, step), F);
    active = active & mask_not(last);
    if (!any(active)) break;

    const T slope = inner(at.force, at.step);
    T t = select(active, one, T{});
    Matrix3<T> trial = moved(F, t, step);
    Balance<T> next = balance<Material, Model>(e, p, trial);
    for (int halving = 0; halving < kMaxHalvings; ++halving) {
      const Matrix3<T> force = out_of_frame(next.frame.u, next.force, next.frame.v);
      const MaskOf<T> refused = active & mask_not(inner(force, step) <= -kOvershoot * slope);
      if (!any(refused)) break;
      t = select(refused, 0.5 * t, t);
      trial = moved(F, t, step);
      next = balance<Material, Model>(e, p, trial);
    }
    F = trial;
    at = next;
  }
  return F;
}

// A start for the first prox of a stage: the elastic prox towards the mean of p and the past,
// weighed as they pull. Falls into the right minimum where there are several.
template <class Material, class Model, class T>
DASHPOT_INLINE Matrix3<T> first_guess(const DampedElement<T>& e, const Matrix3<T>& p, T viscosity) {
  const PrincipalFrame<T> f = make_frame(p);
  const Matrix3<T> past_rate = Model::stage_rate(f, e.past, broadcast<T>(1.0));
  const T pull = viscosity * e.inverse_h, share = pull / (pull + e.k);
  Stretches<T> target;
  for (int i = 0; i < 3; ++i) target[i] = lane_fma(-share, past_rate.m[i][i], f.s[i]);
  return compose(f.u, Material::prox(target, e.lame, e.k + pull, target), f.v);
}

}  // namespace dashpot
