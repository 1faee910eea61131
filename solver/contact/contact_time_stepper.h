#pragma once

#include <vector>

#include "solver/contact/contact_memory.h"
#include "solver/contact/contact_model.h"
#include "solver/contact/contact_report.h"
#include "solver/integrator/body_flow.h"
#include "solver/integrator/integrator.h"
#include "solver/integrator/motion.h"

namespace dashpot {

// After a stage with contact is solved: velocities, then accelerations, at its end as contact
// leaves them, in the metric of whoever solved the stage; see ContactSolver.
class VelocityContacts {
 public:
  virtual ~VelocityContacts() = default;
  // bounce: of each of the contacts, m/s.
  virtual void solve_velocity_contacts(double h, double extrapolation, const Points& x,
                                       const std::vector<double>& bounce, ContactState& contact,
                                       Points& v) = 0;
  virtual void solve_acceleration_contacts(double h, const Points& v, ContactState& contact,
                                           Points& a) = 0;
};

// The points that contact acts on.
struct ContactMasses {
  const std::vector<double>& mass;  // kg
  const std::vector<double>& drag;  // kg/s
  const std::vector<char>& pinned;
};

// When a step is taken, and under what gravity.
struct ContactStep {
  Vec3 gravity = Vec3::Zero();
  double time = 0, dt = 0, previous_dt = 0;
};

// Contact during one step: prepares the colliders of each stage, and repairs what contact at the
// level of positions does to velocities (Brown et al. 2018 section 8). For systems with colliders
// only.
class ContactTimeStepper {
 public:
  // memory: of the step before, as fitting() leaves it.
  ContactTimeStepper(const ContactModel& model, const ContactMasses& points,
                     const ContactStep& step, const ContactMemory& memory);

  // The stage from `begin` to `end`, fractions of the step.
  ContactState prepare(const StageRule& rule, double begin, double end, double extrapolation) const;

  // after: v and a as the integrator's rule made them from x; they become those after contact. With
  // extrapolation, all are those of the end of the step.
  void finish_stage(const StageRule& rule, double begin, double extrapolation, const Motion& before,
                    VelocityContacts& solver, ContactState& contact, Motion& after);

  // Rules that look back must not see a jump of velocity as motion: gives the points a past that
  // leads to what the last stage, of this h, made of them. x and v: what was `ago` seconds before.
  void restart_history(double h, double ago, Points& x, Points& v);

  bool has_jumped() const { return jumped_; }  // a velocity did in this step
  bool touches() const;                        // something has, in this step or at its start

  // Adds what colliders did to each body.
  void add_flows(std::vector<BodyFlow>& flows) const;
  // Of the step so far.
  const ContactReport& report() const { return report_; }
  // impulse: of all colliders in this step, N s.
  ContactMemory memory(const Vec3& impulse) const;

 private:
  std::vector<double> bounces(const ContactState& contact, const Motion& before) const;
  void note_jump();
  Points drag_change(const Points& before, const Points& after) const;
  void book(const StageRule& rule, double begin, const ContactState& solved,
            const ContactState& settled, const Motion& before, const Motion& after);

  // What contact has added to momentum, N s.
  struct Impulses {
    Vec3 last = Vec3::Zero();     // in the last step
    Vec3 stage = Vec3::Zero();    // in this one until its first stage ended
    Vec3 history = Vec3::Zero();  // as the history of it that was made up
    double last_normal = 0, stage_normal = 0;
  };

  const ContactModel& model_;
  ContactMasses points_;
  ContactStep step_;
  std::vector<Contact> contacts_;             // what touches now
  Points velocity_jump_, acceleration_jump_;  // that settling made in the last stage
  Impulses impulses_;
  bool jumped_ = false;
  std::vector<BodyFlow> flows_;  // of each body
  ContactReport report_;
};

// How deep points are inside colliders, m.
double deepest_penetration(const ContactModel& model, double time, const Points& x);
bool touches_collider(const ContactModel& model, double time, const Points& x, double reach);

}  // namespace dashpot
