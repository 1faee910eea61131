// What damping costs: ms per iteration and iterations per stage of the beam of beam.h, struck, for
// every damping model and for none, in one run.
//
//   damping_bench [cells along] [cells across]
#include <array>
#include <cstdio>
#include <cstdlib>

#include "bench/beam.h"
#include "solver/simulation/simulation.h"

namespace dashpot {
namespace {

struct Cost {
  double ms_per_iteration = 0, iterations_per_stage = 0, ms_per_frame = 0;
};

Cost measure_cost(BeamCells cells, int model) {
  constexpr int kFrames = 12;
  Scene scene = beam_scene(cells, Material::kNeoHookean);
  Body& body = scene.bodies[0];
  body.fields.set("dampingmodel", model, "beam");
  body.fields.set("dampingtime", 0.01, "beam");
  body.fields.set("dampingshear", 0.01 * 3.6e5, "beam");
  body.fields.set("dampingbulk", 0.01 * 3.6e5, "beam");
  body.fields.set("dampingstrength", 0.01 * 3.6e5, "beam");
  for (Eigen::Index i = 0; i < body.velocity.cols(); ++i)
    body.velocity(1, i) = -2 * body.position(0, i) * body.position(0, i);
  Simulation simulation(scene);
  Cost cost;
  int iterations = 0;
  double local_and_global = 0;
  for (int f = 0; f < kFrames; ++f) {
    const FrameReport report = simulation.advance(kBeamDt);
    iterations += report.iterations;
    local_and_global += report.ms.local + report.ms.global;
    cost.ms_per_frame += report.ms.total / kFrames;
  }
  cost.ms_per_iteration = local_and_global / iterations;
  cost.iterations_per_stage = iterations / (2.0 * kFrames);
  return cost;
}

}  // namespace
}  // namespace dashpot

int main(int argc, char** argv) {
  using namespace dashpot;
  const BeamCells cells{argc > 1 ? std::atoi(argv[1]) : 34, argc > 2 ? std::atoi(argv[2]) : 7};
  constexpr std::array<const char*, 6> kModels = {
      "none", "strainrate", "rayleigh", "rayleighlagged", "principalstrain", "stretchrate"};
  std::printf("%d tets, neohookean, trbdf2, defaults\n", cells.tets());
  std::printf("%-16s %12s %12s %12s\n", "model", "ms/iteration", "it/stage", "ms/frame");
  for (int model = 0; model < static_cast<int>(kModels.size()); ++model) {
    const Cost cost = measure_cost(cells, model);
    std::printf("%-16s %12.3f %12.1f %12.1f\n", kModels[model], cost.ms_per_iteration,
                cost.iterations_per_stage, cost.ms_per_frame);
  }
  return 0;
}
