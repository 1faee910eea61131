#pragma once

#include <cmath>

#include "solver/integrator/integrator.h"

namespace dashpot {

// x'' = -k x - c x', one unit mass, driven through the rules as the simulation drives them. Its
// stages have a closed form.
class ScalarOscillator {
 public:
  ScalarOscillator(double k, double c, double x, double v) : k_(k), c_(c) {
    x_ = point(x);
    v_ = point(v);
    a_ = point(-k * x - c * v);
  }

  void step(Integrator integrator, double dt) {
    IntegratorRule rule = integrator_rule(integrator);
    if (rule.needs_previous && x_previous_.size() == 0) rule = integrator_rule(Integrator::kTrBdf2);
    step(rule, dt);
  }

  void step(const IntegratorRule& rule, double dt) {
    Points x_stage = x_, v_stage = v_, a_stage = a_;
    for (int s = 0; s < rule.stage_count; ++s) {
      const History history{x_, v_, a_, x_stage, v_stage, a_stage, x_previous_, v_previous_};
      const Stage stage = make_stage(rule.stages[s], dt, history, Vec3::Zero());
      const double mass = 1 / (stage.h * stage.h), drag = c_ / stage.h;
      x_stage = (mass * stage.x_tilde + drag * stage.x_p) / (mass + drag + k_);
      v_stage = (x_stage - stage.x_p) / stage.h;
      a_stage = (v_stage - stage.v_p) / stage.h;
    }
    x_previous_ = x_;
    v_previous_ = v_;
    x_ += rule.extrapolation * (x_stage - x_previous_);
    v_ += rule.extrapolation * (v_stage - v_previous_);
    a_ = a_stage;
  }

  double x() const { return x_(0, 0); }
  double v() const { return v_(0, 0); }
  double energy() const { return 0.5 * (v() * v() + k_ * x() * x()); }

 private:
  static Points point(double x) { return Vec3(x, 0, 0); }

  double k_, c_;
  Points x_, v_, a_, x_previous_, v_previous_;
};

}  // namespace dashpot
