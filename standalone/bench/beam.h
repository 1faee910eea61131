#pragma once

#include <utility>

#include "solver/elasticity/material.h"
#include "solver/integrator/integrator.h"
#include "solver/mesh/hex_block.h"
#include "solver/mesh/tet_mesh.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation_model.h"
#include "solver/simulation/state.h"
#include "solver/simulation/step.h"
#include "solver/stage/islands.h"

namespace dashpot {

// The body that the ADMM benchmarks share: a beam of 1 x 0.25 x 0.25 m, 1000 kg/m^3, 1 MPa,
// Poisson's ratio 0.4, one end pinned, in cells of six Kuhn tets.
struct BeamCells {
  int along, across;
  int tets() const { return 6 * along * across * across; }
};

constexpr double kBeamDt = 0.04;  // s

inline TetMesh beam_mesh(BeamCells cells) {
  const int a = cells.along, c = cells.across;
  const HexBlock block = {uniform_axis(a), uniform_axis(c), uniform_axis(c)};
  Points rest = place_points(block, [&](const HexPlace& at) {
    return Vec3(1.0 * at[0] / a, 0.25 * at[1] / c, 0.25 * at[2] / c);
  });
  return make_tet_mesh(std::move(rest), cut_into_tets(block), "beam");
}

inline Scene beam_scene(BeamCells cells, Material material) {
  Body body;
  body.name = "beam";
  body.mesh = beam_mesh(cells);
  body.position = body.mesh.rest;
  body.velocity = Points::Zero(3, body.mesh.point_count());
  body.fields.set("material", static_cast<double>(material), "beam");
  body.fields.set("youngsmodulus", 1e6, "beam");
  body.fields.set("poissonratio", 0.4, "beam");
  Pin pin;
  for (int i = 0; i < body.mesh.point_count(); ++i)
    if (body.mesh.rest(0, i) == 0) pin.points.push_back(i);
  body.pins.push_back(std::move(pin));
  Scene scene;
  scene.bodies.push_back(std::move(body));
  return scene;
}

// One implicit solve, ready to be handed to any solver.
struct BeamStage {
  Stage stage;
  Points before, start;
};

// Stage number s of a TR-BDF2 step. x, v and a: motion at the end of the stage before, or `from`.
inline BeamStage beam_stage(const State& from, int s, const Points& x, const Points& v,
                            const Points& a) {
  const IntegratorRule rule = integrator_rule(Integrator::kTrBdf2);
  const double begin = s == 0 ? 0.0 : rule.stages[0].end;
  const double tau = (rule.stages[s].end - begin) * kBeamDt;
  const History history{from.x, from.v, from.a, x, v, a, from.x_previous, from.v_previous};
  return {make_stage(rule.stages[s], kBeamDt, history, SolverSettings().gravity), x,
          x + tau * v + 0.5 * tau * tau * a};
}

// The first stage of a beam that has just been twisted and struck: strains of some 10 %.
inline BeamStage struck_beam_stage(const SimulationModel& system, Islands& solver) {
  constexpr double kTwist = 40, kStrike = 5;  // rad/s, m/s, at the free end
  State state = initial_state(system, SolverSettings().gravity, solver);
  for (Eigen::Index i = 0; i < state.x.cols(); ++i) {
    const Vec3 x = state.x.col(i);
    const double turn = kTwist * x[0];
    state.v.col(i) = Vec3(0, -turn * (x[2] - 0.125) - kStrike * x[0] * x[0], turn * (x[1] - 0.125));
  }
  BeamStage problem = beam_stage(state, 0, state.x, state.v, state.a);
  Points velocity = state.v;
  system.place_pins(0, problem.start, velocity);
  return problem;
}

}  // namespace dashpot
