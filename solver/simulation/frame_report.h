#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/types.h"
#include "solver/contact/contact_report.h"

namespace dashpot {

struct SolverSettings;  // solver/parameters/solver_settings.h

// Trouble that does not stop a simulation. Hosts show remedy() as a warning.
enum class Status : std::uint32_t {
  kNone = 0,
  kBudgetExhausted = 1u << 0,   // a stage ended above the tolerance
  kInvertedElements = 1u << 1,  // tets are inside out at the end of the frame
  kCancelled = 1u << 2,         // the state is that of the last complete substep
  kTakenAgain = 1u << 3,        // a step made energy or was lost, and backward Euler took it
  kTangled = 1u << 4,           // surfaces intersect and do not feel each other
};
constexpr std::uint32_t bit(Status s) {
  return static_cast<std::uint32_t>(s);
}
// Those that are worth a warning.
constexpr Status kComplaints[] = {Status::kBudgetExhausted, Status::kInvertedElements,
                                  Status::kTakenAgain, Status::kTangled};
// One sentence that says what happened and which parameter to change.
std::string remedy(Status status);

// Where the energy is and where it went, in J. total = kinetic + elastic + gravitational;
// lost = energy at the start + work - dissipated - total.
struct EnergyLedger {
  double kinetic = 0, elastic = 0, gravitational = 0, total = 0;
  double work = 0;        // done by pins, moving colliders and the host's forces since the start
  double dissipated = 0;  // by damping, friction and impacts since the start
  double lost = 0;        // by the integrator since the start
};

// A body, or all of them, at the end of a frame.
struct Measurement {
  double kinetic = 0, elastic = 0, gravitational = 0;
  Vec3 linear_momentum = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  // about the centre of mass
  Vec3 center_of_mass = Vec3::Zero();
  int inverted = 0;
  double max_stretch = 0, min_stretch = 0;  // largest and smallest signed singular value of any F
};

struct StageTimes {
  double total = 0, local = 0, global = 0, contact = 0;  // ms
};

struct FrameReport {
  std::uint32_t status = 0;
  int iterations = 0;  // of all stages and substeps
  // The worst stage of the frame.
  double primal_residual = 0, dual_residual = 0;
  StageTimes ms;
  EnergyLedger energy;
  ContactReport contact;
  Measurement all;
  std::vector<Measurement> bodies;

  bool has(Status s) const { return (status & bit(s)) != 0; }
};

// How bad it was, in one frame or in the worst of several.
struct Trouble {
  double residual = 0;                // of the stage that ended farthest from the tolerance
  int inverted = 0;                   // tets
  int ignored = 0;                    // pairs of surfaces that intersect
  Vec3 ignored_place = Vec3::Zero();  // of the first of them, m

  void add(const FrameReport& report);
};

// The same sentence with numbers: how wrong it is, and the value to set.
std::string remedy(Status status, const Trouble& trouble, const SolverSettings& settings);
std::string remedy(Status status, const FrameReport& report, const SolverSettings& settings);

}  // namespace dashpot
