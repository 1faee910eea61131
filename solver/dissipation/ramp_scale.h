#pragma once

#include "solver/dissipation/damping_model.h"
#include "solver/dissipation/power_law.h"
#include "solver/dissipation/principal_frame.h"
#include "solver/dissipation/ramp.h"
#include "solver/dissipation/rate_models.h"

namespace dashpot {

// The ramp of one element.
struct ElementRamp {
  const Ramp* ramp = nullptr;
  RampMode mode = RampMode::kOff;
  double inverse_reference = 1;  // s; position 1 of perrate is the reference rate

  bool is_on() const { return ramp && mode != RampMode::kOff; }
};

// Multipliers m_i of the damping along each axis. With the exponent p of the power law, a rate A_ij
// counts g_ij = (m_i m_j)^(1/(2p + 2)) times, and so does the stress of the linear form: the power
// law is multiplied by m where all are m, as in Brown et al. 2018 (57), and the linear form is
// S^(1/2) K S^(1/2) along the axes, as in Brown et al. 2018 section 5.2.2. Whatever the multipliers
// depend on, the stress that they leave opposes the rate.
template <class T>
struct AxisScale {
  Stretches<T> axis;  // g_ii
  T pair[3];          // g_ij
  // Derivatives of m_i by its stretch and by its rate.
  Stretches<T> by_stretch, by_rate;
};

namespace ramp_scale_detail {

DASHPOT_INLINE double element(const double& value, int /*lane*/) {
  return value;
}
DASHPOT_INLINE double element(const Lane& value, int lane) {
  return value[lane];
}
DASHPOT_INLINE void set_element(double& value, int /*lane*/, double to) {
  value = to;
}
DASHPOT_INLINE void set_element(Lane& value, int lane, double to) {
  value[lane] = to;
}

// How fast each axis is stretched. Axes that cannot be told apart within a stage share the rate of
// the plane (or space) that they span, which does not depend on the choice of axes in it.
template <class T>
DASHPOT_INLINE Stretches<T> axis_rates(const PrincipalFrame<T>& f, const Matrix3<T>& rate, T h) {
  T share[3], squared[3];
  for (int p = 0; p < 3; ++p) {
    const int i = kPairs[p][0], j = kPairs[p][1];
    share[p] = turning_share(f.s[i] - f.s[j], h * rate.m[i][j]);
    squared[p] = 2.0 * rate.m[i][j] * rate.m[i][j];
  }
  const T own[3] = {rate.m[0][0] * rate.m[0][0], rate.m[1][1] * rate.m[1][1],
                    rate.m[2][2] * rate.m[2][2]};
  const T with_1 = share[0] * (own[1] + squared[0]), with_2 = share[1] * (own[2] + squared[1]);
  const T of_0 = own[0] + with_1 + with_2 + share[0] * share[1] * squared[2];
  const T of_1 = own[1] + share[0] * (own[0] + squared[0]) + share[2] * (own[2] + squared[2]) +
                 share[0] * share[2] * squared[1];
  const T of_2 = own[2] + share[1] * (own[0] + squared[1]) + share[2] * (own[1] + squared[2]) +
                 share[1] * share[2] * squared[0];
  return {lane_sqrt(of_0), lane_sqrt(of_1), lane_sqrt(of_2)};
}

template <class T>
struct Multipliers {
  Stretches<T> value, by_stretch, by_rate;
};

template <class T>
inline void set_multipliers(const ElementRamp& element_ramp, int lane, const Stretches<T>& stretch,
                            const Stretches<T>& rate, Multipliers<T>& m) {
  const bool of_rate = element_ramp.mode == RampMode::kPerRate;
  Ramp::Sample sample[3];
  int largest = 0;
  for (int i = 0; i < 3; ++i) {
    const double position = of_rate ? element(rate[i], lane) * element_ramp.inverse_reference
                                    : element(stretch[i], lane);
    sample[i] = element_ramp.ramp->lookup(position);
    if (sample[i].value > sample[largest].value) largest = i;
  }
  for (int i = 0; i < 3; ++i) {
    const bool shared = element_ramp.mode == RampMode::kMax;
    set_element(m.value[i], lane, sample[shared ? largest : i].value);
    const double slope = shared && i != largest ? 0 : sample[i].slope;
    set_element(m.by_stretch[i], lane, of_rate ? 0 : slope);
    set_element(m.by_rate[i], lane, of_rate ? slope * element_ramp.inverse_reference : 0);
  }
}

}  // namespace ramp_scale_detail

// `rate` is that of the stretch tensor. `ramps` has one entry per lane.
template <class T>
inline AxisScale<T> axis_scale(const ElementRamp* ramps, const PowerLaw<T>& law,
                               const PrincipalFrame<T>& f, const Matrix3<T>& rate, T h) {
  using namespace ramp_scale_detail;
  const T one = broadcast<T>(1.0);
  Multipliers<T> m{{one, one, one}, {}, {}};
  const Stretches<T> rates = axis_rates(f, rate, h);
  for (int lane = 0; lane < LaneTraits<T>::kCount; ++lane)
    if (ramps[lane].is_on()) set_multipliers(ramps[lane], lane, f.s, rates, m);
  AxisScale<T> scale;
  scale.by_stretch = m.by_stretch;
  for (int i = 0; i < 3; ++i) {
    scale.axis[i] =
        is_linear(law) ? lane_sqrt(m.value[i]) : lane_pow(m.value[i], 1.0 / (1.0 + law.exponent));
    // Multipliers depend on the size of a rate.
    scale.by_rate[i] = select(rate.m[i][i] < 0.0, -m.by_rate[i], m.by_rate[i]);
  }
  for (int p = 0; p < 3; ++p)
    scale.pair[p] = lane_sqrt(scale.axis[kPairs[p][0]] * scale.axis[kPairs[p][1]]);
  return scale;
}

template <class T>
DASHPOT_INLINE Matrix3<T> scaled(const AxisScale<T>& scale, Matrix3<T> a) {
  for (int i = 0; i < 3; ++i) a.m[i][i] *= scale.axis[i];
  for (int p = 0; p < 3; ++p) {
    a.m[kPairs[p][0]][kPairs[p][1]] *= scale.pair[p];
    a.m[kPairs[p][1]][kPairs[p][0]] *= scale.pair[p];
  }
  return a;
}

// What evaluate(scaled rate) becomes for the rate itself. Of the multipliers' own derivatives
// Newton's method is told what stiffens an axis.
template <class T>
inline void apply_scale(const AxisScale<T>& scale, RateEvaluation<T>& at) {
  constexpr double kSmallest = 1e-3;  // of g, when it is divided by
  T linear[3];
  for (int i = 0; i < 3; ++i)
    linear[i] = at.stress.m[i][i] / lane_max(scale.axis[i], broadcast<T>(kSmallest));
  at.stress = scaled(scale, at.stress);
  const Stretches<T>& g = scale.axis;
  Symmetric3<T>& v = at.viscosity.axes;
  v = {lane_fma(g[0] * g[0], v.xx, lane_max(scale.by_rate[0] * linear[0], T{})),
       lane_fma(g[1] * g[1], v.yy, lane_max(scale.by_rate[1] * linear[1], T{})),
       lane_fma(g[2] * g[2], v.zz, lane_max(scale.by_rate[2] * linear[2], T{})),
       g[0] * g[1] * v.xy,
       g[0] * g[2] * v.xz,
       g[1] * g[2] * v.yz};
  Symmetric3<T>& c = at.geometry.axes;
  c.xx = lane_fma(g[0], c.xx, scale.by_stretch[0] * linear[0]);
  c.yy = lane_fma(g[1], c.yy, scale.by_stretch[1] * linear[1]);
  c.zz = lane_fma(g[2], c.zz, scale.by_stretch[2] * linear[2]);
  for (int p = 0; p < 3; ++p) {
    auto& viscous = at.viscosity.pair[p];
    auto& bent = at.geometry.pair[p];
    const T once = scale.pair[p], twice = once * once;
    viscous = {twice * viscous.first, twice * viscous.mixed, twice * viscous.second};
    bent = {once * bent.first, once * bent.mixed, once * bent.second};
  }
}

// R, its stress and derivatives, with the ramps applied unless there are none; `evaluate` is the
// model's, of a rate.
template <class Model, class T, class Evaluate>
DASHPOT_INLINE RateEvaluation<T> ramped_evaluation(const ElementRamp* ramps, const PowerLaw<T>& law,
                                                   const PrincipalFrame<T>& f,
                                                   const Matrix3<T>& rate, T h,
                                                   const Evaluate& evaluate) {
  AxisScale<T> scale{};
  if (ramps) scale = axis_scale(ramps, law, f, Model::stretch_rate(f, rate), h);
  RateEvaluation<T> at = evaluate(ramps ? scaled(scale, rate) : rate);
  if (ramps) apply_scale(scale, at);
  return at;
}

}  // namespace dashpot
