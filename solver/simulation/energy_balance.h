#pragma once

#include <vector>

#include "solver/integrator/body_flow.h"
#include "solver/simulation/energies.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"

namespace dashpot {

// The energies of every body over one step: what there was, what came and went, what is left. A
// step keeps the law  after + dissipated <= before + work,  each body for itself.
class EnergyBalance {
 public:
  // before: of each body at the start of the step. to: its end, whose energies must be finite.
  EnergyBalance(const SimulationModel& model, const Vec3& gravity, std::vector<Measurement> before,
                std::vector<BodyFlow> flows, const State& to);

  // Contact changes velocities within a step, and rules that are exact for smooth motion then are
  // not: takes kinetic energy from bodies in contact until they keep the law, from those of their
  // points that are marked. Those that touched each other keep it together, and their momenta.
  // Returns the momentum that this takes from those that lean on something.
  using PointMask = std::vector<char>;
  Vec3 limit_touching(const PointMask& of, State& to);
  // Takes from a body, and those that it touched, what it has more than it may have, or all of
  // their motion. Nothing from those that moving pins drive.
  void limit(int body, State& to);
  // Work that is known by a quadrature: what bodies have more than that of moving pins, these did;
  // what one has more than those that it touched gave, they gave.
  void settle_work();
  // The work that forces far from any solution seem to do is not believed,
  void forget_work(int body);
  // nor that of unsolved ones but what deformed bodies and carried them along with colliders.
  void doubt_work(double dt);
  // After a change of the body's motion.
  void measure_again(int body, const State& to);

  // Damping and friction cannot have taken more than what left a body, and what is missing after a
  // hit went into it. The flows of the body are final then.
  void close(int body);

  // The most energy that a body may end the step with: what there was, and the work, J.
  double bound(int body) const;
  // What it has more than that, in parts of what there was to give.
  double excess(int body) const;
  // The same for what limits have taken from it.
  double taken(int body) const { return taken_[body] / exchanged(body); }

  const std::vector<Measurement>& after() const { return after_; }
  const std::vector<BodyFlow>& flows() const { return flows_; }

  // The body, and those that it touched.
  using Bodies = std::vector<int>;
  Bodies group_of(int body) const;

 private:
  std::vector<Bodies> groups() const;
  bool is_free(const Bodies& bodies) const;
  bool are_driven(const Bodies& bodies) const;
  double surplus(int body) const;
  double surplus_with_damping(int body) const;
  std::vector<int> points_of(const Bodies& bodies, const PointMask& of) const;
  // energy, J, of which bodies that nothing holds give only `law` if it costs their rigid motion.
  Vec3 take(const Bodies& bodies, double energy, double law, const PointMask& of, State& to);
  void share_work(const Bodies& bodies, double (EnergyBalance::*surplus_of)(int) const);
  double exchanged(int body) const;
  double noise(int body) const;

  const SimulationModel& model_;
  Vec3 gravity_;
  std::vector<Measurement> before_, after_;
  std::vector<BodyFlow> flows_;
  std::vector<double> taken_;  // J
};

}  // namespace dashpot
