#pragma once

#include "solver/mesh/rest_shape.h"
#include "solver/simulation/simulation_model.h"
#include "tests/support/runge_kutta.h"

namespace dashpot {

// The same points, masses and materials, moved by the classical explicit Runge-Kutta rule of
// fourth order: with many small steps, the exact motion of the mesh. No pins.
class ExplicitReference {
 public:
  ExplicitReference(const SimulationModel& system, const Vec3& gravity)
      : system_(system), gravity_(gravity), x(system.initial_x), v(system.initial_v) {}

  void advance(double seconds, int steps) {
    const double dt = seconds / steps;
    for (int s = 0; s < steps; ++s) step(dt);
  }

 private:
  Points acceleration(const Points& at, const Points& velocity) const {
    const TetTerms& terms = system_.tets();
    Points a = Points::Zero(3, at.cols());
    for (int t = 0; t < terms.count(); ++t) {
      const Mat3 f = deformation_gradient(at, terms.tets[t], terms.inverse_rest_shape[t]);
      const Mat3 force = terms.volume[t] * first_piola(terms.material[t], f, terms.lame[t]) *
                         terms.inverse_rest_shape[t].transpose();
      for (int c = 0; c < 3; ++c) a.col(terms.tets[t][c + 1]) -= force.col(c);
      a.col(terms.tets[t][0]) += force.rowwise().sum();
    }
    for (int i = 0; i < at.cols(); ++i)
      a.col(i) = (a.col(i) - system_.drag[i] * velocity.col(i)) / system_.mass[i] + gravity_;
    return a;
  }

  void step(double dt) {
    runge_kutta_step(
        dt, [this](const Points& at, const Points& velocity) { return acceleration(at, velocity); },
        x, v);
  }

  const SimulationModel& system_;
  Vec3 gravity_;

 public:
  Points x, v;
};

}  // namespace dashpot
