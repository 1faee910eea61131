#pragma once

#include <functional>
#include <vector>

#include "solver/contact/contact.h"
#include "solver/integrator/motion.h"

namespace dashpot {

class IslandSolver;

// A stage in which contacts pressed, with the velocities that its rule gave.
struct CorrectedStage {
  const Motion& before;
  const Motion& after;
  double h = 0;    // of the stage, s: impulses are h times forces
  double tau = 0;  // how long it took, s
  double dt = 0;   // of the step, s
  Vec3 gravity = Vec3::Zero();
  // The energy that bodies may still take up, J: of points' bodies that are marked.
  std::function<double(const std::vector<char>& islands)> slack;
};

// How islands that press on something take it.
struct HitAnswer {
  // It is stiff, as is all that it presses on, and something was hit that was not touched before.
  std::vector<char> hit_stiffly;
  // It bounces by itself, as does all that it presses on: stages can tell how they deform.
  std::vector<char> is_resolved;
};

// What is left to do at the level of velocities. A stage that ends in contact has stopped what it
// could resolve, but bodies that are stiff for the step reflect by chance. The velocity is
// filtered, per island, to what the step can resolve: S = P + s (1 - P), with P the projection on
// rigid motion and s the share of the impulses' deformation that the matrix lets through within the
// stage. What touches, moves apart with restitution times the filtered speed of the hit, by
// impulses p that go through the same filter: v += S M^-1 J^T p. For e = 0 without friction that
// never makes energy; else it is cut to what there is.
struct VelocityCorrection {
  HitAnswer answer;
  Points change;               // of velocities; empty: there is none
  std::vector<Vec3> impulse;   // of each contact, besides that of the stage, N s
  std::vector<int> component;  // of each contact: which were corrected together, -1: not at all
};

HitAnswer answer_to_hits(const CorrectedStage& stage, const std::vector<Contact>& contacts,
                         const std::vector<IslandSolver*>& islands,
                         const std::vector<int>& island_of_point);

VelocityCorrection correct_velocities(const CorrectedStage& stage,
                                      const std::vector<Contact>& contacts,
                                      const std::vector<IslandSolver*>& islands,
                                      const std::vector<int>& island_of_point);

}  // namespace dashpot
