#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "solver/linear/setup_work.h"
#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/state.h"
#include "solver/stage/stage_solver.h"

namespace dashpot {

struct ElementDiagnostic;  // element_diagnostics.h
struct PreparedMatrices;   // solver/stage/islands.h

// Scene -> Simulation -> advance(dt).
class Simulation {
 public:
  // former: what another simulation left, see prepared_matrix(). It makes the set-up shorter where
  // the new matrix is the same or has the same pattern, and changes no bit of any result. Throws
  // InputError if the scene cannot be simulated.
  explicit Simulation(Scene scene, const std::shared_ptr<const PreparedMatrices>& former = nullptr);
  ~Simulation();

  // Moves on by dt seconds of the timeline (dt * timescale of simulated time) in `substeps` steps.
  // A cancelled call leaves the last complete substep and sets Status::kCancelled. Throws
  // SimulationError, and leaves the state as it was before the call, if a step does not stay
  // finite, or if the frame has one of kComplaints and the settings say stop_at_warnings.
  FrameReport advance(double dt, const CancelFunction& cancelled = {});

  // Energies and momenta of the current state, with no step taken.
  FrameReport measure() const;

  // For each of `wanted` one value per tet of the current state, in the state's order of bodies.
  std::vector<std::vector<double>> evaluate(
      const std::vector<const ElementDiagnostic*>& wanted) const;

  const Scene& scene() const;
  const State& state() const;
  // `dissipation`: of the frame that ended in this state, if known. Throws InputError if the state
  // belongs to a scene of another size.
  void restore(State state, std::vector<double> dissipation = {});

  // Loads that a host may change from frame to frame. Neither is part of the state.
  void set_gravity(const Vec3& gravity);  // m/s^2
  // N, one column per point, until the next call; none takes all away. Pinned points feel none.
  void set_external_force(Points force);

  // The energy that each tet's damping dissipated in the last call of advance, J, in the order of
  // tet_offset. Zeros before the first.
  const std::vector<double>& dissipation() const;

  // Orders and factors for simulations like this one, for example after an edit. It outlives this
  // one, and is not touched by it any more.
  std::shared_ptr<const PreparedMatrices> prepared_matrix() const;
  // Since this simulation was made.
  SetupWork setup_work() const;
  SolverWork solver_work() const;

  // Identifies all that the motion depends on besides the state: meshes, parameters, pins.
  std::uint64_t fingerprint() const;

  // First point (tet) of a body in the state's arrays.
  int point_offset(int body) const;
  int tet_offset(int body) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dashpot
