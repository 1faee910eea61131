#pragma once

#include <vector>

#include "solver/contact/contact_memory.h"
#include "solver/contact/contact_model.h"
#include "solver/contact/contact_report.h"
#include "solver/contact/obstacle_detector.h"
#include "solver/integrator/body_flow.h"
#include "solver/integrator/motion.h"

namespace dashpot {

// When a step is taken.
struct ContactStep {
  double time = 0, dt = 0;  // s
};

// A stage in which something may have touched, as it was solved.
struct FinishedStage {
  double tau = 0;  // how long it took, s
  double h = 0;    // impulses are h times forces, s
  const Motion& before;
  const Motion& after;       // before velocities are corrected
  const Points& velocities;  // corrected
  // Impulses of the correction, and which contacts they were found together with (-1: none).
  const std::vector<Vec3>& impulse;
  const std::vector<int>& component;
  // Of each point: it took part. What is known of the others stays.
  const std::vector<char>& took_part;
};

// Contact during one step: where colliders are in each stage, what contact did to the bodies, and
// what of it is remembered.
class ContactTimeStepper {
 public:
  // mass: of each point. memory: of the step before, as fitting() leaves it.
  ContactTimeStepper(const ContactModel& model, const std::vector<double>& mass,
                     const ContactStep& step, const ContactMemory& memory);

  // From `begin` to `end`, fractions of the step.
  ColliderKinematics kinematics(double begin, double end) const;
  const std::vector<ContactMemory::Touching>& touching() const { return touching_; }
  // With the forces that make their impulses in a stage of this length and factor, s.
  std::vector<ContactMemory::Touching> touching(double tau, double h) const;

  void finish_stage(const FinishedStage& stage, const std::vector<Contact>& contacts);

  // Adds what contact did to each body.
  void add_flows(std::vector<BodyFlow>& flows) const;
  // Of the step so far.
  ContactReport& report() { return report_; }
  ContactMemory memory() const;

 private:
  void book_work(const FinishedStage& stage, const Contact& contact);
  void book_correction(const FinishedStage& stage, const std::vector<Contact>& contacts);
  void add_to_report(const FinishedStage& stage, const Contact& contact, const Vec3& extra);
  void remember(const FinishedStage& stage, const Contact& contact);
  void touch(const ContactStencil& stencil, bool is_obstacle);
  int group_of(int body) const;

  const ContactModel& model_;
  const std::vector<double>& mass_;
  ContactStep step_;
  std::vector<ContactMemory::Touching> touching_;  // now
  std::vector<BodyFlow> flows_;                    // of each body
  ContactReport report_;
};

// How deep points are inside colliders, m.
double deepest_penetration(const ContactModel& model, double time, const Points& x);

}  // namespace dashpot
