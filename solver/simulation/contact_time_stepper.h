#pragma once

#include <vector>

#include "solver/integrator/motion.h"
#include "solver/simulation/body_flow.h"
#include "solver/simulation/frame_report.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"
#include "solver/stage/admm_solver.h"

namespace dashpot {

// Contact during one step: prepares the colliders of each stage, and repairs what contact at the
// level of positions does to velocities (Brown et al. 2018 section 8). For systems with colliders
// only.
class ContactTimeStepper {
 public:
  ContactTimeStepper(const SimulationModel& system, const Vec3& gravity, double dt,
                     const State& from);

  // The stage from `begin` to `end`, fractions of the step.
  ContactState prepare(const StageRule& rule, double begin, double end, double extrapolation) const;

  // after: v and a as the integrator's rule made them from x; they become those after contact. With
  // extrapolation, all are those of the end of the step.
  void finish_stage(const StageRule& rule, double begin, double extrapolation, const Motion& before,
                    AdmmSolver& solver, ContactState& contact, Motion& after);

  // Rules that look back must not see a jump of velocity as motion: gives the points a past that
  // leads to what the last stage, of this h, made of them. x and v: what was `ago` seconds before.
  void restart_history(double h, double ago, Points& x, Points& v);

  bool has_jumped() const { return jumped_; }  // a velocity did in this step
  bool touches() const;                        // something has, in this step or at its start

  // Adds what colliders did to each body.
  void add_flows(std::vector<BodyFlow>& flows) const;
  // Of the step so far.
  const ContactReport& report() const { return report_; }
  // For State::contact. impulse: of all colliders in this step, N s.
  std::vector<double> memory(const Vec3& impulse) const;
  static bool touches(const State& state);  // something did, at the end of the last step
  // Whether State::contact is whole and names sites and colliders that there are.
  static bool is_valid(const std::vector<double>& memory, std::size_t sites, std::size_t colliders);

 private:
  std::vector<double> bounces(const ContactState& contact, const Motion& before) const;
  void note_jump();
  Points drag_change(const Points& before, const Points& after) const;
  void book(const StageRule& rule, double begin, const ContactState& solved,
            const ContactState& settled, const Motion& before, const Motion& after);

  const SimulationModel& system_;
  Vec3 gravity_;
  double dt_, time_, previous_dt_;
  std::vector<Contact> rows_;                 // what touches now
  Points velocity_jump_, acceleration_jump_;  // that settling made in the last stage
  // What contact added to momentum: in the last step, in this one until its first stage ended, and
  // as the history of it that was made up, N s.
  Vec3 last_impulse_ = Vec3::Zero(), stage_impulse_ = Vec3::Zero(), history_impulse_ = Vec3::Zero();
  double last_normal_impulse_ = 0, stage_normal_ = 0;
  bool jumped_ = false;
  std::vector<BodyFlow> flows_;  // of each body
  std::vector<int> body_of_site_;
  ContactReport report_;
};

// How deep points are inside colliders, m.
double deepest_penetration(const SimulationModel& system, double time, const Points& x);
bool touches_collider(const SimulationModel& system, double time, const Points& x, double reach);

}  // namespace dashpot
