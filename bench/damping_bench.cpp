// What damping costs: ms per iteration and iterations per stage of the beam of beam.h, struck, for
// every damping model, Laplacian damping and none, in one run.
//
//   damping_bench [cells along] [cells across]
#include <array>
#include <cstdio>
#include <cstdlib>

#include "solver/simulation/simulation.h"
#include "standalone/bench/beam.h"

namespace dashpot {
namespace {

struct Cost {
  double ms_per_iteration = 0, iterations_per_stage = 0, ms_per_frame = 0;
};

struct Case {
  const char* name;
  int model;         // index of the menu
  double laplacian;  // s
  bool conserve;
};

Cost measure_once(BeamCells cells, const Case& damping) {
  constexpr int kFrames = 12;
  Scene scene = beam_scene(cells, Material::kNeoHookean);
  scene.settings.laplacian_damping = damping.laplacian;
  scene.settings.conserve_angular = damping.conserve;
  Body& body = scene.bodies[0];
  body.fields.set("dampingmodel", damping.model, "beam");
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
  constexpr std::array<Case, 8> kCases = {{{"none", 0, 0, true},
                                           {"strainrate", 1, 0, true},
                                           {"rayleigh", 2, 0, true},
                                           {"rayleighlagged", 3, 0, true},
                                           {"principalstrain", 4, 0, true},
                                           {"stretchrate", 5, 0, true},
                                           {"laplacian", 0, 0.005, true},
                                           {"laplacian, plain", 0, 0.005, false}}};
  constexpr int kRepeats = 5;
  std::array<Cost, kCases.size()> best{};
  // Round by round, so that a busy moment of the machine does not fall on one case only.
  for (int repeat = 0; repeat < kRepeats; ++repeat)
    for (std::size_t k = 0; k < kCases.size(); ++k) {
      const Cost cost = measure_once(cells, kCases[k]);
      if (repeat == 0 || cost.ms_per_iteration < best[k].ms_per_iteration) best[k] = cost;
    }
  std::printf("%d tets, neohookean, trbdf2, defaults, best of %d\n", cells.tets(), kRepeats);
  std::printf("%-18s %12s %8s %12s %12s\n", "damping", "ms/iteration", "ratio", "it/stage",
              "ms/frame");
  for (std::size_t k = 0; k < kCases.size(); ++k)
    std::printf("%-18s %12.3f %8.2f %12.1f %12.1f\n", kCases[k].name, best[k].ms_per_iteration,
                best[k].ms_per_iteration / best[0].ms_per_iteration, best[k].iterations_per_stage,
                best[k].ms_per_frame);
  return 0;
}
