#include "solver/parameters/declaration.h"
#include "solver/parameters/declarations.h"

namespace dashpot {
namespace {

using Settings = SolverSettings;

std::vector<Parameter> time_parameters() {
  return {
      declare(&Settings::integrator, "integrator", "Integrator")
          .choices({{Integrator::kBackwardEuler, "backwardeuler", "Backward Euler"},
                    {Integrator::kBdf2, "bdf2", "BDF2"},
                    {Integrator::kTrBdf2, "trbdf2", "TR-BDF2"},
                    {Integrator::kBathe, "bathe", "Bathe"},
                    {Integrator::kMidpoint, "midpoint", "Implicit Midpoint"},
                    {Integrator::kTrapezoidal, "trapezoidal", "Trapezoidal"}})
          .help("How one step is taken. TR-BDF2 and Bathe solve twice per step, keep motion lively "
                "and stay stable at any stiffness. Backward Euler is the most robust and loses the "
                "most motion. BDF2 is between them. Midpoint and trapezoidal lose no energy, and "
                "can blow up when the step is long for the stiffness."),
      declare(&Settings::substeps, "substeps", "Substeps")
          .from(1)
          .to(1000)
          .slider(1, 10)
          .help("Steps per frame. More substeps follow fast motion more closely and cost in "
                "proportion."),
      declare(&Settings::timescale, "timescale", "Time Scale")
          .in(ParameterFolder::kSimulation)
          .above(0)
          .to(1e6)
          .slider(0.1, 2)
          .help("Simulated seconds per second of the timeline: below 1 is slow motion, above 1 is "
                "fast."),
      declare(&Settings::gravity, "gravity", "Gravity")
          .in(ParameterFolder::kSimulation)
          .unit("m/s^2")
          .slider(-10, 10)
          .varies()
          .help("Acceleration of everything that is not pinned."),
  };
}

std::vector<Parameter> stage_parameters() {
  return {
      declare(&Settings::iterations, "iterations", "Iterations")
          .from(1)
          .to(100000)
          .slider(1, 200)
          .help("Budget of iterations per stage. The solver stops earlier when the tolerance is "
                "reached; when the budget ends first, the frame is marked. Too few make the body "
                "look softer and more damped than it is."),
      declare(&Settings::tolerance, "tolerance", "Tolerance")
          .from(0)
          .to(1)
          .logarithmic_slider(1e-6, 1e-2)
          .help("Mismatch at which a stage counts as solved, relative to how much the stage "
                "deforms and turns the body. 1e-4 leaves points of a soft body right to 1e-4 of "
                "the way they move in a step, those of a very stiff one to a few percent. 0 always "
                "spends the whole budget."),
      declare(&Settings::stage_solver, "stagesolver", "Stage Solver")
          .choices({{SolverChoice::kAutomatic, "automatic", "Automatic"},
                    {SolverChoice::kAdmm, "admm", "ADMM"}})
          .help("How a stage is solved. Automatic takes quasi-Newton steps where forces are "
                "smooth, and ADMM where they are not: dry damping, contact, tets squeezed far. "
                "ADMM is the papers' method throughout. Both come to the same shape, ADMM in more "
                "and longer iterations."),
  };
}

std::vector<Parameter> damping_settings() {
  return {
      declare(&Settings::conserve_angular, "conserveangular", "Conserve Angular Momentum")
          .in(ParameterFolder::kDamping)
          .disabled_when(
              "{ dampingmodel != rayleigh dampingmodel != rayleighlagged laplaciandamping == 0 }")
          .help("On: rayleigh, rayleighlagged and Laplacian damping leave spin alone. Off: as in "
                "the textbook, they slow spinning bodies down. The other damping models never do."),
      declare(&Settings::second_order, "secondorder", "Second Order Damping")
          .help("On: rayleigh has exactly the stress of its model, and the order of the "
                "integrator. Off: as in the paper without its correction, with an error that falls "
                "only in proportion to the step. Other models are the same either way."),
      declare(&Settings::laplacian_damping, "laplaciandamping", "Laplacian Damping")
          .in(ParameterFolder::kDamping)
          .unit("s")
          .from(0)
          .to(1e6)
          .slider(0, 0.1)
          .help("Damping of all bodies by one constant matrix, the cheapest there is: every tet "
                "resists change in proportion to its shear modulus times this time. It also "
                "steadies midpoint and trapezoidal integration of stiff bodies. Free fall is not "
                "slowed."),
  };
}

std::vector<Parameter> contact_settings() {
  const char* const without_contact = "{ bodycontact == 0 selfcontact == 0 }";
  return {
      declare(&Settings::body_contact, "bodycontact", "Body Contact")
          .in(ParameterFolder::kContact)
          .help("On: bodies, and pieces of one geometry, collide with each other. Off: they pass "
                "through each other; colliders stay. nocontact takes single ones out."),
      declare(&Settings::contact_gap, "contactgap", "Contact Gap")
          .in(ParameterFolder::kContact)
          .unit("m")
          .from(0)
          .to(1e3)
          .slider(0, 0.01)
          .disabled_when(without_contact)
          .help("Distance that surfaces of bodies keep from each other. 0: a thousandth of the "
                "mean edge of the surfaces, which is not seen. Larger ones leave room for what is "
                "drawn around the tets."),
      declare(&Settings::untangle, "untangle", "Untangle")
          .in(ParameterFolder::kContact)
          .disabled_when(without_contact)
          .help("On: surfaces that intersect at the start are pushed apart, without speed and "
                "without friction. Off: they do not feel each other until they are apart."),
  };
}

std::vector<Parameter> run_parameters() {
  return {
      declare(&Settings::stop_at_warnings, "stopatwarnings", "Stop at Warnings")
          .in(ParameterFolder::kSimulation)
          .help("On: a frame that is not solved to the tolerance, has tets inside out or was taken "
                "again by backward Euler, or has surfaces that intersect and are ignored, ends the "
                "simulation with an error that says what to set, and is not kept, so that a farm "
                "does not go on from it. Off: it is kept, with a warning."),
  };
}

}  // namespace

std::vector<Parameter> solver_parameters() {
  std::vector<Parameter> all = time_parameters();
  for (auto& list : {stage_parameters(), damping_settings(), contact_settings(), run_parameters()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace dashpot
