#pragma once

#include "solver/elements/element_batch.h"
#include "solver/elements/spring_set.h"

namespace dashpot {

using SpringOperator = ElementOperator<2, 1>;

// In local coordinates f = D x, of length s: the energy is K/2 (s - 1)^2 with K = k L^2, and the
// damping dissipates C (ds/dt)^2 with C = c L^2.
struct SpringParameters {
  Lane stiffness;  // K, N m; 0 in padding lanes
  Lane damping;    // C, N m s
};

struct SpringShape : SpringOperator, SpringParameters {};

// Damping sees the stretch of the past by the rule that the stage has for positions.
struct SpringBlock : ElementBlock {
  Lane past;
  Lane inverse_h;
};

template <bool Damped>
struct SpringLaw {
  using Shape = SpringShape;
  using Block = SpringBlock;
  using Source = SpringTerms;
  using At = BlockAt<SpringShape, SpringBlock>;
  using Gradient = SpringOperator::Gradient;
  static constexpr bool kDamped = Damped;
  static constexpr bool kPaired = false;

  // The stage length for which weights are chosen, in steps.
  static constexpr double kWeightStage = 0.3;
  // Shorter ones have no direction: the force is not smooth there.
  static constexpr double kShortest = 0.1;

  static Lane extent(const SpringShape& /*shape*/) { return broadcast<Lane>(1); }

  static void set_lane(SpringShape& shape, SpringBlock& block, int lane, const SpringTerms& terms,
                       int e) {
    const double squared = terms.rest_length[e] * terms.rest_length[e];
    shape.stiffness[lane] = terms.stiffness[e] * squared;
    shape.damping[lane] = terms.damping[e] * squared;
    block.rest_stiffness[lane] = shape.stiffness[lane];
    block.rest_squared_weight[lane] = shape.stiffness[lane];
    block.past[lane] = 1;
    block.inverse_h[lane] = 0;
  }
  static void set_padding(SpringShape& shape, SpringBlock& block, int lane) {
    shape.stiffness[lane] = shape.damping[lane] = 0;
    block.rest_squared_weight[lane] = 0;
    block.rest_stiffness[lane] = 1;
  }

  static Lane stretch(const Gradient& f) {
    return lane_sqrt(f.m[0][0] * f.m[0][0] + f.m[1][0] * f.m[1][0] + f.m[2][0] * f.m[2][0]);
  }
  static Lane rate(const Gradient& f, const Gradient& velocity) {
    const Lane product =
        f.m[0][0] * velocity.m[0][0] + f.m[1][0] * velocity.m[1][0] + f.m[2][0] * velocity.m[2][0];
    return product / lane_max(stretch(f), broadcast<Lane>(1e-12));
  }
  static Gradient along(const Gradient& f, const Lane& length) {
    const Lane scale = length / lane_max(stretch(f), broadcast<Lane>(1e-12));
    Gradient out;
    for (int r = 0; r < 3; ++r) out.m[r][0] = scale * f.m[r][0];
    return out;
  }

  static void forget(SpringBlock& /*block*/) {}
  static bool is_smooth(const SpringBlock& /*block*/) { return true; }

  // A squeezed spring gives way to the side, with curvature K (1 - 1/s).
  static Lane weight_factor(const At& at, const Gradient& f) {
    const Lane s = lane_max(stretch(f), broadcast<Lane>(kShortest));
    return dashpot::weight_factor(kWeightMargin * at.shape.stiffness * (1 / s - 1) /
                                  at.block.rest_stiffness);
  }

  static void set_stage(const At& at, double h, const StageHistory<double>& history) {
    SpringBlock& block = at.block;
    block.inverse_h = broadcast<Lane>(1 / h);
    block.rest_stiffness =
        lane_max(at.shape.stiffness + at.shape.damping / (kWeightStage * history.dt),
                 broadcast<Lane>(1e-300));
    block.rest_squared_weight =
        select(at.shape.stiffness + at.shape.damping > 0.0, block.rest_stiffness, Lane{});
    const Gradient now = deformation_gradient(at.shape, history.x);
    block.past = history.step * stretch(now);
    if (history.rate != 0)
      block.past += history.rate * rate(now, deformation_gradient(at.shape, history.v));
    if (history.stage != 0)
      block.past += history.stage * stretch(deformation_gradient(at.shape, history.x_stage));
    if (history.previous != 0)
      block.past += history.previous * stretch(deformation_gradient(at.shape, history.x_previous));
  }

  // Along f.
  static Lane stage_tension(const At& at, const Lane& s) {
    Lane tension = at.shape.stiffness * (s - 1);
    if constexpr (Damped) tension += at.shape.damping * at.block.inverse_h * (s - at.block.past);
    return tension;
  }

  static bool stage_stress(const At& a, const Gradient& f_a, const At& b, const Gradient& f_b,
                           Gradient (&stress)[2]) {
    const Lane s_a = stretch(f_a), s_b = stretch(f_b);
    stress[0] = along(f_a, stage_tension(a, s_a));
    stress[1] = along(f_b, stage_tension(b, s_b));
    return !any(s_a < kShortest) && !any(s_b < kShortest);
  }

  // The least of K/2 (s - 1)^2 + C/(2h) (s - past)^2 + w^2/2 |f - p|^2 is along p.
  static Gradient prox(const At& at, const Gradient& p, const double* /*z*/) {
    const Lane w = at.block.stiffness, k = at.shape.stiffness;
    Lane pull = k + w * stretch(p), sum = k + w;
    if constexpr (Damped) {
      const Lane viscous = at.shape.damping * at.block.inverse_h;
      pull += viscous * at.block.past;
      sum += viscous;
    }
    return along(p, lane_max(pull / sum, Lane{}));
  }

  static Gradient force(const SpringShape& shape, const SpringBlock& /*block*/, const double* x,
                        const double* velocity) {
    const Gradient f = deformation_gradient(shape, x);
    Lane tension = shape.stiffness * (stretch(f) - 1);
    if (Damped && velocity)
      tension += shape.damping * rate(f, deformation_gradient(shape, velocity));
    return along(f, tension);
  }

  static Lane power(const SpringShape& shape, const SpringBlock& /*block*/, const double* x,
                    const double* velocity) {
    const Lane r = rate(deformation_gradient(shape, x), deformation_gradient(shape, velocity));
    return shape.damping * r * r;
  }
};

}  // namespace dashpot
