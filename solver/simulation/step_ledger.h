#pragma once

#include <vector>

#include "solver/integrator/body_flow.h"
#include "solver/integrator/motion.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"
#include "solver/stage/islands.h"

namespace dashpot {

// Books what pins, loads, drag and damping do to the bodies during one step; contact keeps its own
// book.
class StepLedger {
 public:
  // start: what the first stage begins with.
  StepLedger(const SimulationModel& model, const Vec3& gravity, const State& from,
             const Motion& start, Islands& islands);

  // The stages that follow are the first of their islands in this step.
  void begin_stages();
  // A stage of tau seconds of some islands, which ended with these duals. touches: islands whose
  // velocities contact has changed in this step, or at the end of the last one.
  void book_stage(double tau, const Motion& before, const Motion& after,
                  const std::vector<double>& dual, const IslandMask& of, const IslandMask& touches);
  // The same of a step that is the extrapolation of a stage that ends in its middle.
  void book_extrapolated(double dt, double extrapolation, const Motion& start, const Motion& middle,
                         const std::vector<double>& dual, const IslandMask& of);
  // What is known without a quadrature.
  void finish(const State& from, const State& to);

  const std::vector<BodyFlow>& flows() const { return flows_; }
  // By damping and drag, of each element.
  const std::vector<double>& dissipated() const { return dissipated_; }

 private:
  Points reaction_at(const std::vector<double>& dual, const Motion& motion);
  void add_reaction_inertia(const Motion& motion, Points& force) const;
  void book_pins(const Points& force, double factor, const Points& from, const Points& to,
                 const IslandMask& of);
  void book_drag(double tau, const Points& v, const IslandMask& of);
  void book_damping(double tau, const std::vector<double>& power, const IslandMask& of);
  void use_mean_rates(double tau, const Motion& before, const Motion& after,
                      const IslandMask& touches);
  void limit_to_stage_work(double tau, const Motion& before, const Motion& after,
                           const std::vector<double>& dual, const IslandMask& touches);
  bool is_marked(const IslandMask& mask, int element) const {
    return mask[islands_.island_of_element(element)] != 0;
  }

  const SimulationModel& model_;
  Vec3 gravity_;
  Islands& islands_;
  bool moves_pins_, is_first_step_;
  Points first_force_, force_;  // that holds the pins, at first and after the last stage, N
  std::vector<BodyFlow> flows_;
  std::vector<double> power_, mean_power_, drag_, dissipated_;  // of each element, W, W, J and J
};

}  // namespace dashpot
