#pragma once

#include <vector>

#include "solver/admm/admm_solver.h"
#include "solver/simulation/frame_report.h"
#include "solver/simulation/state.h"
#include "solver/simulation/system.h"

namespace dashpot {

// State of motion at an instant within a step.
struct Motion {
  Points x, v, a;
};

// Energies that contact moves, J.
struct ContactEnergy {
  double dissipated = 0;  // by friction and impacts
  double work = 0;        // done by moving colliders
};

// Contact during one step: prepares the colliders of each stage, and repairs what contact at the
// level of positions does to velocities (S0 section 8). For systems with colliders only.
class StepContact {
 public:
  StepContact(const System& system, const Vec3& gravity, double dt, const State& from);

  // The stage from `begin` to `end`, fractions of the step.
  StageContact prepare(const StageRule& rule, double begin, double end, double extrapolation) const;

  // after: v and a as the integrator's rule made them from x; they become those after contact. With
  // extrapolation, all are those of the end of the step.
  void finish_stage(const StageRule& rule, double begin, double extrapolation, const Motion& before,
                    AdmmSolver& solver, StageContact& contact, Motion& after);

  // Rules that look back must not see a jump of velocity as motion: gives the points a past that
  // leads to what the last stage, of this h, made of them. x and v: what was `ago` seconds before.
  void restart_history(double h, double ago, Points& x, Points& v);

  // Takes kinetic energy from bodies that end the step with more energy than they and what moves
  // them had.
  void limit_energy(const State& from, State& to);

  // Points whose velocity contact changed at the start or end of the last stage.
  const std::vector<char>& changed_points() const { return changed_; }

  const ContactEnergy& energy() const { return energy_; }
  // Of the step so far.
  const ContactReport& report() const { return report_; }
  // For State::contact.
  std::vector<double> memory() const;
  static bool touches(const State& state);  // something did, at the end of the last step
  // Whether State::contact is whole and names sites and colliders that there are.
  static bool is_valid(const std::vector<double>& memory, std::size_t sites, std::size_t colliders);

 private:
  std::vector<double> bounces(const StageContact& contact, const Motion& before) const;
  void mark_changed();
  Points damping_change(const Points& x, const Points& before, const Points& after,
                        AdmmSolver& solver) const;
  void book(const StageRule& rule, double begin, const StageContact& solved,
            const StageContact& settled, const Motion& before, const Motion& after);

  const System& system_;
  Vec3 gravity_;
  double dt_, time_, previous_dt_;
  std::vector<ContactRow> rows_;              // what touches now
  Points velocity_jump_, acceleration_jump_;  // that settling made in the last stage
  // What contact added to momentum: in the last step, in this one until its first stage ended, and
  // as the history of it that was made up, N s.
  Vec3 last_impulse_ = Vec3::Zero(), stage_impulse_ = Vec3::Zero(), history_impulse_ = Vec3::Zero();
  double last_normal_impulse_ = 0, stage_normal_ = 0;
  std::vector<char> changed_, changed_before_;  // of each point
  ContactEnergy energy_;
  bool jumped_ = false;            // a velocity did in this step
  std::vector<double> body_work_;  // of colliders on each body, J
  std::vector<char> body_touched_;
  std::vector<int> body_of_site_;
  ContactReport report_;
};

// How deep points are inside colliders, m.
double deepest_penetration(const System& system, double time, const Points& x);
bool touches_collider(const System& system, double time, const Points& x, double reach);

}  // namespace dashpot
