#pragma once

#include <array>

#include "solver/base/types.h"

namespace dashpot {

enum class Integrator { kBackwardEuler, kBdf2, kTrBdf2, kBathe, kMidpoint, kTrapezoidal };

// One implicit solve of a step, as data (method: Brown et al. 2018 (12), (35), (36)). With h =
// alpha * dt it minimises  1/(2h^2) |x - x~|_M^2 + U(x) + h R(x, (x - x_p)/h),  where
//   x_p = step x^n + stage x^g + previous x^{n-1} + dt * (rate v^n + stage_rate v^g)
//   v_p = step v^n + stage v^g + previous v^{n-1} + dt * M^{-1} (rate f^n + stage_rate f^g)
//   x~  = x_p + h v_p + h^2 M^{-1} f_ext
// and ends with velocity (x - x_p)/h. ^g is the end of the stage before.
struct StageRule {
  double alpha = 1.0;
  double end = 1.0;  // where the stage ends, as a fraction of the step
  double step = 1.0, stage = 0.0, previous = 0.0, rate = 0.0, stage_rate = 0.0;
};

struct IntegratorRule {
  int stage_count = 1;
  std::array<StageRule, 3> stages;
  // The step ends at  y^n + extrapolation (y_last_stage - y^n): 2 for implicit midpoint.
  double extrapolation = 1.0;
  bool needs_previous = false;    // x^{n-1}, v^{n-1}; the first step is then taken by TR-BDF2
  bool takes_stiff_hits = false;  // its stages are short enough for what is stiff to be hit in them
};

IntegratorRule integrator_rule(Integrator integrator);

// The same with two backward Euler stages, of the same h, for a first stage that looks at f^n: for
// steps whose forces die down faster than the step.
IntegratorRule without_first_force(IntegratorRule rule);

// The same spans and h as theta stages, each of which looks at its own beginning only: with theta =
// h / tau,  x = x^g + tau (theta v + (1 - theta) v^g), likewise v with forces. Impulses of contact
// are even over such a stage; energy falls by (theta - 1/2) of the changes squared. For steps in
// which something touches.
IntegratorRule touching_rule(const IntegratorRule& rule);

// Three equal theta stages with the h of TR-BDF2: for steps in which something stiff is hit.
IntegratorRule stiff_hit_rule();

// Three stages of backward Euler, each a third of the step: for steps that no other rule can take.
IntegratorRule short_euler_rule();

// Where a stage starts from and what it may look back at. Accelerations are total, gravity
// included (m/s^2).
struct History {
  const Points& x;        // x^n
  const Points& v;        // v^n
  const Points& a;        // M^{-1} f^n
  const Points& x_stage;  // x^g, v^g, M^{-1} f^g, only read if rule.stage != 0
  const Points& v_stage;
  const Points& a_stage;
  const Points& x_previous;  // x^{n-1}, v^{n-1}, only read if rule.previous != 0
  const Points& v_previous;
};

// How x_p was made, for terms that apply the same rule to something else than positions. Points
// to the arrays of the History, or to numbers in the order of a solver.
template <class Values>
struct StageHistory {
  double dt = 0.0;  // of the whole step, s
  double step = 0.0, stage = 0.0, previous = 0.0;
  double rate = 0.0;  // dt * rate, s
  double end = 0.0;   // since the step began, s
  const Values *x = nullptr, *v = nullptr, *x_stage = nullptr, *x_previous = nullptr;
};

// A stage that is ready to be solved.
struct Stage {
  double h = 0.0;  // alpha * dt, s
  StageHistory<Points> history;
  Points x_p, v_p;
  Points x_tilde;
};

Stage make_stage(const StageRule& rule, double dt, const History& history, const Vec3& gravity);

}  // namespace dashpot
