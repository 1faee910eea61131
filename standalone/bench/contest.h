#pragma once

#include <vector>

#include "standalone/bench/beam.h"
#include "standalone/bench/textbook_admm.h"

namespace dashpot {

inline Material material_of(Corotated /*model*/) {
  return Material::kCorotated;
}
inline Material material_of(NeoHookean /*model*/) {
  return Material::kNeoHookean;
}

// A beam with our solver, factored.
struct BeamSolver {
  SimulationModel system;
  Islands solver;
  BeamStage problem;
  std::vector<double> dual;

  BeamSolver(BeamCells cells, Material material)
      : system(beam_scene(cells, material)),
        solver(system),
        problem(struck_beam_stage(system, solver)) {
    Points x;
    run({1, 0.0}, x);  // factors on first use
  }

  StageResult run(const StageSettings& settings, Points& x) {
    x = problem.start;
    dual.assign(solver.force_size(), 0.0);
    return solver.solve(problem.stage, problem.before, settings, {}, x, dual);
  }
};

// The same with the textbook's beside it.
template <class Model>
struct Contest {
  BeamSolver ours;
  TextbookAdmm<Model> textbook;

  explicit Contest(BeamCells cells)
      : ours(cells, material_of(Model{})),
        textbook(ours.system.tets(), ours.system.mass, ours.system.pinned, ours.problem.stage.h) {}

  StageResult run_ours(const StageSettings& settings, Points& x) { return ours.run(settings, x); }
  auto run_textbook(const StageSettings& settings, Points& x) {
    x = ours.problem.start;
    return textbook.solve(ours.problem.stage, ours.problem.before, settings.iterations,
                          settings.tolerance, x);
  }
};

}  // namespace dashpot
