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

// Islands that are hit stiffly, or expected to be; empty: none.
struct StiffHits {
  IslandMask takes;  // take the stages for it
  IslandMask is_hit;
};

// What is hit stiffly and goes on touching, mostly is again in the next step, as what rolls.
StiffHits expected_hits(const State& from, const Islands& islands);

// One try of a step by one rule. Islands that touch something take theta stages of the same length
// instead, those that are hit stiffly the stages of stiff_hit_rule(); nobody else notices.
class StepAttempt {
 public:
  // careful: from a start that does not trust the forces so far. iterations: of each stage.
  StepAttempt(const StepStart& start, const IntegratorRule& rule, bool careful, int iterations,
              Islands& islands, const StiffHits& stiff = {});

  // False if cancelled. Throws SimulationError if the result is not finite.
  bool run(const std::function<bool()>& cancelled);

  // Islands were hit stiffly of which that was not expected: it ended there.
  bool is_to_be_repeated() const { return is_to_be_repeated_; }
  const StiffHits& stiff() const { return stiff_; }
  // A stage ended far from any solution.
  bool is_lost() const { return is_lost_; }
  bool has_converged() const { return report_.converged; }
  const IntegratorRule& rule() const { return rule_; }
  double dt() const { return of_.dt; }
  // Where the step ends and what it moved, without the ledger's totals.
  State& to() { return to_; }
  EnergyBalance& balance() { return *balance_; }
  // Of this try alone.
  const StepReport& report() const { return report_; }

 private:
  // The stages of some islands: how they go by themselves, and where something touches.
  struct Stages {
    const IntegratorRule& own;
    const IntegratorRule& touching;
    IslandMask active;
  };
  // One of them.
  struct StageTask {
    const StageRule& own;
    const StageRule& touching;
    const Motion& before;
    double begin;  // as a fraction of the step
  };

  // Of the stages that an island may take.
  enum Choice : char { kOwn, kTheta, kShifted };

  bool run_stages(const Stages& stages, const std::function<bool()>& cancelled);
  // active: those that have ended it, on return.
  bool solve_stage(const StageTask& task, const std::function<bool()>& cancelled,
                   IslandMask& active, Motion& after);
  StageResult solve_once(const StageTask& task, const IslandMask& active,
                         const std::function<bool()>& cancelled, Motion& after);
  void stop_cut_islands(const StageTask& task, Motion& after) const;
  void find_touching();
  bool promote(const StageTask& task, const IslandMask& active, const Motion& after);
  void leave_out_repeated(IslandMask& active) const;
  void spread_stiffness(const IslandMask& active, const IslandMask& hit);
  std::vector<char> choose_stages(const StageTask& task) const;
  Stage make_stage_of(const StageRule& rule, const Motion& before, const Motion& start) const;
  CorrectedStage corrected_stage(const StageTask& task, const Motion& after,
                                 const std::function<double(const IslandMask&)>& slack) const;
  Points look_back(const StageRule& rule, const Motion& before, double tau, Stage& stage) const;
  void set_start(const StageTask& task, const IslandMask& active, Motion& after) const;
  IslandMask islands_hit_before() const;
  void correct(const StageTask& task, const IslandMask& active, Motion& after);
  double slack_of(const IslandMask& islands, const Motion& before, const Motion& after);
  void place_pins(const StageRule& rule, bool touching, Points& x, Points& v) const;
  void check_finite(const Points& points) const;
  void record(const StageResult& result);
  void book(const StageTask& task, const IslandMask& active, const Motion& after);
  void keep_end(const Stages& stages, const Motion& last);
  Points accelerations_of_loads() const;
  void forget_ringing();
  void finish();
  void finish_contact();
  double tau_of(const StageRule& rule, double begin) const { return (rule.end - begin) * of_.dt; }
  // Of a point's island; points of none do nothing.
  bool is_marked(const IslandMask& mask, int point) const {
    const int island = islands_.island_of_point(point);
    return island >= 0 && mask[island];
  }

  const StepStart& of_;
  IntegratorRule rule_;
  Predictor predictor_;
  int iterations_;
  bool is_lost_ = false, is_to_be_repeated_ = false;
  Islands& islands_;
  IslandMask touches_, touched_, resolved_;  // of each island; the second in the whole step
  StiffHits stiff_;
  // Velocities that contact gave in this step, and what of them came from hits: the rest keeps in
  // place what touched before, m/s.
  Points pushed_, struck_;
  // Of the stages that are taken now; the first where nothing touches.
  double extrapolation_ = 1;
  bool takes_stiff_hits_ = false;
  StepReport report_;
  Motion start_;
  std::optional<ContactTimeStepper> contact_;
  std::optional<StepLedger> ledger_;
  std::optional<EnergyBalance> balance_;
  StageContact stage_contact_;
  State to_;
};

}  // namespace dashpot
