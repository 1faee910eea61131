#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_time_stepper.h"
#include "solver/linear/setup_work.h"
#include "solver/stage/island_solver.h"
#include "solver/stage/stage_model.h"

namespace dashpot {

// What a simulation leaves to others like it: the matrices of its islands.
struct PreparedMatrices {
  std::vector<PreparedMatrix> islands;
};

// All islands of a model: solves stages, each island by its own solver and in parallel, and knows
// the forces within.
class Islands final : public VelocityContacts {
 public:
  // model must outlive it. former: of islands whose matrices may have been the same.
  explicit Islands(const StageModel& model, const PreparedMatrices& former = {});

  // From now on `vertices` are kept out of colliders.
  void add_contact(const std::vector<Collider>& colliders,
                   const std::vector<ContactVertex>& vertices);

  // before: positions at the start of the stage. x: start position on entry, solution on return.
  // Pinned points stay where x has them. forces: generalised forces of the last stage on entry
  // (zeros at first), of this one on return. A cancelled solve leaves x and forces as they were.
  StageResult solve(const Stage& stage, const Points& before, const StageSettings& settings,
                    const CancelFunction& cancelled, Points& x, std::vector<double>& forces,
                    ContactState* contact = nullptr);

  void solve_velocity_contacts(double h, double extrapolation, const Points& x,
                               const std::vector<double>& bounce, ContactState& contact,
                               Points& v) override;
  void solve_acceleration_contacts(double h, const Points& v, ContactState& contact,
                                   Points& a) override;

  std::size_t force_size() const { return flat_begin_.back(); }
  // Forces of another layout belong to other elements.
  std::uint64_t force_layout() const;
  bool are_damped() const;
  // Of the factors that the last solve used.
  bool have_single_precision() const;

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

 private:
  // body(IslandSolver&, number of the island)
  void for_each(const std::function<void(IslandSolver&, std::size_t)>& body) const;
  std::vector<ContactState> split(const ContactState& contact) const;
  void join(const std::vector<ContactState>& parts, ContactState& contact) const;

  const StageModel& model_;
  ElementValues values_;
  std::vector<std::unique_ptr<IslandSolver>> islands_;
  std::vector<std::size_t> flat_begin_;  // of each island in flat forces, and one past the last
  // Of each contact vertex of the scene, its island and its number there; and back.
  std::vector<int> island_of_vertex_, own_number_;
  std::vector<std::vector<int>> vertices_of_;
};

}  // namespace dashpot
