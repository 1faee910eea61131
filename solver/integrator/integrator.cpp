#include "solver/integrator/integrator.h"

#include <cmath>

namespace dashpot {
namespace {

StageRule trapezoidal_stage(double gamma) {
  StageRule rule;
  rule.alpha = gamma / 2;  // Brown et al. 2018 (35)
  rule.end = gamma;
  rule.rate = gamma / 2;
  return rule;
}

StageRule bdf2_stage(double gamma) {
  StageRule rule;
  rule.alpha = (1 - gamma) / (2 - gamma);  // Brown et al. 2018 (36)
  rule.stage = 1 / (gamma * (2 - gamma));
  rule.step = -(1 - gamma) * (1 - gamma) / (gamma * (2 - gamma));
  return rule;
}

IntegratorRule tr_bdf2(double gamma) {
  IntegratorRule rule;
  rule.stage_count = 2;
  rule.stages = {trapezoidal_stage(gamma), bdf2_stage(gamma), {}};
  return rule;
}

}  // namespace

IntegratorRule integrator_rule(Integrator integrator) {
  IntegratorRule rule;
  switch (integrator) {
    case Integrator::kBackwardEuler:
      break;
    case Integrator::kBdf2:
      rule.stages[0].alpha = 2.0 / 3;
      rule.stages[0].step = 4.0 / 3;
      rule.stages[0].previous = -1.0 / 3;
      rule.needs_previous = true;
      break;
    case Integrator::kTrBdf2:
      // Both stages then have alpha = 1 - 1/sqrt(2): one factorisation serves the step, if rounding
      // is not allowed to make two numbers of it.
      rule = tr_bdf2(2 - std::sqrt(2.0));
      rule.stages[1].alpha = rule.stages[0].alpha;
      break;
    case Integrator::kBathe:
      return tr_bdf2(0.5);  // Xu and Barbič 2017 section 6
    case Integrator::kMidpoint:
      rule.stages[0].alpha = 0.5;
      rule.stages[0].end = 0.5;
      rule.extrapolation = 2.0;
      break;
    case Integrator::kTrapezoidal:
      rule.stages[0] = trapezoidal_stage(1.0);
      break;
  }
  return rule;
}

IntegratorRule without_first_force(IntegratorRule rule) {
  const StageRule first = rule.stages[0];
  if (first.rate == 0) return rule;
  StageRule euler;
  euler.alpha = first.alpha;
  euler.end = first.end / 2;
  const StageRule last = rule.stages[1];
  rule.stages = {euler, euler, last};
  rule.stages[1].end = first.end;
  rule.stages[1].step = 0;
  rule.stages[1].stage = 1;
  ++rule.stage_count;
  return rule;
}

IntegratorRule touching_rule(const IntegratorRule& rule) {
  IntegratorRule touching = rule;
  touching.extrapolation = 1;
  touching.needs_previous = false;
  double begin = 0;
  for (int s = 0; s < rule.stage_count; ++s) {
    StageRule stage;
    stage.alpha = rule.stages[s].alpha;
    stage.end = begin + rule.extrapolation * (rule.stages[s].end - begin);
    (s == 0 ? stage.rate : stage.stage_rate) = stage.end - begin - stage.alpha;
    stage.step = s == 0 ? 1 : 0;
    stage.stage = s == 0 ? 0 : 1;
    touching.stages[s] = stage;
    begin = stage.end;
  }
  return touching;
}

IntegratorRule stiff_hit_rule() {
  IntegratorRule rule;
  rule.stage_count = 3;
  for (int k = 0; k < 3; ++k) {
    rule.stages[k].alpha = integrator_rule(Integrator::kTrBdf2).stages[0].alpha;
    rule.stages[k].end = k == 2 ? 1.0 : (k + 1) / 3.0;
  }
  rule.takes_stiff_hits = true;
  return touching_rule(rule);
}

IntegratorRule short_euler_rule() {
  IntegratorRule rule;
  rule.stage_count = 3;
  for (int k = 0; k < 3; ++k) {
    StageRule& stage = rule.stages[k];
    stage.alpha = 1.0 / 3;
    stage.end = k == 2 ? 1.0 : (k + 1) / 3.0;
    stage.step = k == 0 ? 1 : 0;
    stage.stage = k == 0 ? 0 : 1;
  }
  return rule;
}

Stage make_stage(const StageRule& rule, double dt, const History& history, const Vec3& gravity) {
  Stage stage;
  stage.h = rule.alpha * dt;
  stage.history = {
      dt,         rule.step,  rule.stage,       rule.previous,      rule.rate * dt, rule.end * dt,
      &history.x, &history.v, &history.x_stage, &history.x_previous};
  stage.x_p = rule.step * history.x;
  stage.v_p = rule.step * history.v;
  if (rule.stage != 0) {
    stage.x_p += rule.stage * history.x_stage;
    stage.v_p += rule.stage * history.v_stage;
  }
  if (rule.stage_rate != 0) {
    stage.x_p += rule.stage_rate * dt * history.v_stage;
    stage.v_p += rule.stage_rate * dt * history.a_stage;
  }
  if (rule.previous != 0) {
    stage.x_p += rule.previous * history.x_previous;
    stage.v_p += rule.previous * history.v_previous;
  }
  if (rule.rate != 0) {
    stage.x_p += rule.rate * dt * history.v;
    stage.v_p += rule.rate * dt * history.a;
  }
  stage.x_tilde = stage.x_p + stage.h * stage.v_p;
  stage.x_tilde.colwise() += stage.h * stage.h * gravity;
  return stage;
}

}  // namespace dashpot
