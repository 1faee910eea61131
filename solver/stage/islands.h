#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/obstacle_detector.h"
#include "solver/contact/stage_contacts.h"
#include "solver/linear/setup_work.h"
#include "solver/stage/island_solver.h"
#include "solver/stage/stage_model.h"
#include "solver/stage/velocity_correction.h"

namespace dashpot {

class Tangles;

// What a simulation leaves to others like it: the matrices of its islands.
struct PreparedMatrices {
  std::vector<PreparedMatrix> islands;
};

// Numbers of islands that are meant are marked.
using IslandMask = std::vector<char>;
inline bool is_any(const IslandMask& mask) {
  return std::find(mask.begin(), mask.end(), 1) != mask.end();
}

// The stage that each island is to take, of a few that have the same h.
struct IslandStages {
  const std::vector<Stage>& stages;
  const std::vector<char>& choice;  // of each island

  const Stage& of(int island) const { return stages[choice[island]]; }
};

// What a stage is told of contact, and tells.
struct StageContact {
  ColliderKinematics kinematics;
  std::vector<ContactMemory::Touching> known;  // what touched before, in order of ids
  std::vector<Contact> contacts;               // what touches or is near at the end
  std::vector<int> group_of;                   // of each island: those that may touch share one
  IslandMask cut;                              // islands whose stage ends before where it led
  IslandMask in_contact;                       // islands that were not solved as free ones
  int tangled = 0;                             // pairs of an edge and a face that intersect
  Vec3 tangled_place = Vec3::Zero();           // one of them
};

// All islands of a model: solves stages, each island by its own solver and in parallel, those that
// touch together, and knows the forces within.
class Islands {
 public:
  // model must outlive it. former: of islands whose matrices may have been the same.
  explicit Islands(const StageModel& model, const PreparedMatrices& former = {});
  ~Islands();

  // From now on what the model says may touch; it must outlive them.
  void add_contact(const ContactModel& contact);

  // before: positions at the start of the stage. x: start position on entry, solution on return.
  // Pinned points stay where x has them. forces: generalised forces of the last stage on entry
  // (zeros at first), of this one on return. A cancelled solve leaves x and forces as they were.
  StageResult solve(const Stage& stage, const Points& before, const StageSettings& settings,
                    const CancelFunction& cancelled, Points& x, std::vector<double>& forces);
  // The same for some islands, with contact; the others stay where x has them.
  StageResult solve(const IslandStages& stages, const IslandMask& active, const Points& before,
                    const StageSettings& settings, const CancelFunction& cancelled, Points& x,
                    std::vector<double>& forces, StageContact* contact);

  // Velocities after a stage in which contacts pressed, see VelocityCorrection.
  VelocityCorrection correct_velocities(const CorrectedStage& stage,
                                        const std::vector<Contact>& contacts);
  HitAnswer answer_to_hits(const CorrectedStage& stage, const std::vector<Contact>& contacts);

  // Islands that would touch something on the way from `before` to x, or that did before.
  IslandMask find_touched(const StageContact& contact, const Points& before, const Points& x);
  int count() const { return static_cast<int>(islands_.size()); }
  bool turns_freely(int island) const { return islands_[island]->problem.turns_freely(); }
  int island_of_point(int point) const { return island_of_point_[point]; }  // -1: in none
  const std::vector<int>& island_of_points() const { return island_of_point_; }
  int island_of_element(int element) const { return island_of_element_[element]; }

  std::size_t force_size() const { return flat_begin_.back(); }
  // Forces of another layout belong to other elements.
  std::uint64_t force_layout() const;
  bool are_damped() const;
  // Of the factors that the last solve used.
  bool have_single_precision() const;

  // What elements of some islands store at x, J.
  double elastic_energy(const Points& x, const IslandMask& of) const;
  // Gradient of the elastic energy at x, per point.
  Points energy_gradient(const Points& x);
  // The same minus the damping force at velocity v.
  Points force_gradient(const Points& x, const Points& v);
  // The power that each element's damping dissipates, W.
  void dissipation(const Points& x, const Points& v, std::vector<double>& power);
  // The internal force that the last solve balanced (its gradient of U + hR), without that of
  // Laplacian damping.
  Points stage_gradient(const std::vector<double>& forces);
  // Adds the Laplacian damping force, with its sign turned, at positions x and velocities v.
  void add_laplacian_gradient(const Points& x, const Points& v, Points& gradient);

  PreparedMatrices prepared() const;
  SetupWork work() const;
  SolverWork solver_work() const;  // so far

 private:
  // Islands that are solved together, and what they touch.
  struct Group {
    std::vector<int> islands;
    std::unique_ptr<StageContacts> contacts;  // nullptr without contact
    bool is_cut = false, is_in_contact = false;

    // What one island of a group does, all of it have to.
    bool is_within(const IslandMask& mask) const {
      return std::all_of(islands.begin(), islands.end(), [&](int i) { return mask[i] != 0; });
    }
  };
  // A stage that is being solved.
  struct Task {
    const IslandStages& stages;
    const Points& before;
    const StageSettings& settings;
    CancelFunction cancelled;
    const Points& guess;
    std::vector<double>& forces;
    std::vector<StageResult> free;  // of islands that are solved without contact
    std::vector<char> is_free;      // those
  };

  // body(IslandSolver&, number of the island)
  void for_each(const std::function<void(IslandSolver&, std::size_t)>& body) const;
  std::vector<IslandSolver*> solvers() const;
  void look_around(const StageContact& contact, const Points& before, const Points& guess,
                   const std::vector<char>& left_out = {});
  std::vector<char> clear_of_themselves(const StageContact& contact) const;
  std::vector<int> group_by(const std::vector<std::array<int, 2>>& candidates) const;
  std::vector<Group> make_groups(const StageContact* contact, const Points& before) const;
  StageResult solve_groups(std::vector<Group>& groups, const IslandMask& active, Task& task);
  StageResult solve_group(Group& group, Task& task);
  StageResult solve_free(const Group& group, Task& task);
  StageResult solve_touching(Group& group, const Task& task);
  void collect(const std::vector<Group>& groups, StageContact& contact) const;
  void go_back_to_known(const Points& before, const IslandMask& active, Points& x,
                        StageContact& contact) const;

  const StageModel& model_;
  SolverWork work_;  // but for solves
  ElementValues values_;
  std::vector<std::unique_ptr<IslandSolver>> islands_;
  std::vector<std::size_t> flat_begin_;  // of each island in flat forces, and one past the last
  std::vector<int> island_of_point_;     // -1: in none
  std::vector<int> island_of_element_;
  const ContactModel* contact_model_ = nullptr;
  std::vector<std::vector<int>> vertices_of_;  // of each island: numbers in the contact model
  std::unique_ptr<ObstacleDetector> obstacles_;
  std::unique_ptr<SurfaceDetector> surfaces_;
  std::unique_ptr<Tangles> tangles_;
  bool is_tangled_ = false;          // now
  Points apart_;                     // where nothing is
  std::vector<PairStencil> pushes_;  // of what is
};

}  // namespace dashpot
