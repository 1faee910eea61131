#pragma once

#include <string>

#include "solver/base/hash.h"
#include "solver/base/types.h"
#include "solver/integrator/integrator.h"
#include "solver/stage/solver_choice.h"

namespace dashpot {

// The solver-scope parameters, with their types and defaults; all else about each of them is said
// by its entry in solver_parameters.cpp, which names the member.
struct SolverSettings {
  Integrator integrator = Integrator::kTrBdf2;
  int substeps = 1;
  double timescale = 1.0;
  Vec3 gravity = Vec3(0, -9.81, 0);  // m/s^2
  int iterations = 60;
  double tolerance = 1e-4;
  SolverChoice stage_solver = SolverChoice::kAutomatic;
  bool conserve_angular = true;
  bool second_order = true;
  double laplacian_damping = 0.0;  // s
  bool body_contact = true;
  double contact_gap = 0.0;  // m; 0: by the size of the surfaces' edges
  bool untangle = false;
  bool stop_at_warnings = false;
};

// Throws InputError if a value is out of range.
void check_settings(const SolverSettings& settings, const std::string& where);

void hash_settings(const SolverSettings& settings, Hash& hash);

}  // namespace dashpot
