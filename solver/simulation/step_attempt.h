#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "solver/contact/contact_time_stepper.h"
#include "solver/integrator/integrator.h"
#include "solver/integrator/motion.h"
#include "solver/simulation/energy_balance.h"
#include "solver/simulation/predictor.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"
#include "solver/simulation/step.h"
#include "solver/simulation/step_ledger.h"
#include "solver/stage/islands.h"

namespace dashpot {

// What all tries of a step have in common.
struct StepStart {
  const SimulationModel& model;
  const SolverSettings& settings;
  double dt;
  const State& from;
  std::vector<Measurement> measured;  // of each body in `from`
};

// One try of a step by one rule.
class StepAttempt {
 public:
  // careful: from a start that does not trust the forces so far. iterations: of each stage.
  StepAttempt(const StepStart& start, const IntegratorRule& rule, bool careful, int iterations,
              Islands& islands);

  // False if cancelled. Throws SimulationError if the result is not finite.
  bool run(const std::function<bool()>& cancelled);

  // Something stiff was hit: stiff_hit_rule() is to take the step, unless it did.
  bool hit_something_stiff() const { return is_stiff_hit_; }
  // A stage ended far from any solution.
  bool is_lost() const { return is_lost_; }
  bool has_converged() const { return report_.converged; }
  const IntegratorRule& rule() const { return rule_; }
  // Where the step ends and what it moved, without the ledger's totals.
  State& to() { return to_; }
  EnergyBalance& balance() { return *balance_; }
  // Of this try alone.
  const StepReport& report() const { return report_; }

 private:
  bool solve_stage(const StageRule& rule, const Motion& before, double begin,
                   const std::function<bool()>& cancelled, Motion& after);
  bool may_touch();
  bool looks_back(const StageRule& rule) const;
  Points look_back(const StageRule& rule, const Motion& before, double tau, Stage& stage) const;
  void set_velocities(const Stage& stage, const Motion& before, double tau, const Points& target_v,
                      Motion& after) const;
  void correct(double tau, double h, const Motion& before, Motion& after);
  double slack_of(const std::vector<char>& islands, const Motion& before, const Motion& after);
  void place_pins(double fraction, Points& x, Points& v) const;
  void check_finite(const Points& points) const;
  void record(const StageResult& result);
  void finish(const Motion& last);
  void finish_contact();

  const StepStart& of_;
  IntegratorRule rule_;
  Predictor predictor_;
  int iterations_;
  bool is_lost_ = false, is_stiff_hit_ = false, is_touching_ = false;
  Islands& islands_;
  StepReport report_;
  Motion start_;
  std::optional<ContactTimeStepper> contact_;
  std::optional<StepLedger> ledger_;
  std::optional<EnergyBalance> balance_;
  StageContact stage_contact_;
  State to_;
};

}  // namespace dashpot
