// How many iterations a stage takes to come within a given error of its converged solution, ours at
// default weights against plain ADMM with w^2 = V times the bulk modulus. Beam of 5184 tets at
// 40 ms under gravity, neo-Hookean; average over both TR-BDF2 stages of steps 2, 5 and 8. Also
// what frames cost at default settings.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "solver/simulation/simulation.h"
#include "standalone/bench/beam.h"
#include "standalone/bench/textbook_admm.h"

namespace dashpot {
namespace {

constexpr BeamCells kCells = {24, 6};
constexpr int kCap = 400;
constexpr std::array<double, 3> kErrors = {1e-2, 1e-3, 1e-6};
constexpr StageSettings kExact = {5000, 1e-11};

struct StageSample {
  BeamStage problem;
  Points solution;
};

Points converged(const SimulationModel& system, const BeamStage& problem) {
  Islands solver(system);
  std::vector<double> dual(solver.force_size(), 0.0);
  Points x = problem.start;
  solver.solve(problem.stage, problem.before, kExact, {}, x, dual);
  return x;
}

std::vector<StageSample> sample_stages(const SimulationModel& system, const Scene& scene) {
  std::vector<StageSample> samples;
  Scene exact = scene;
  exact.settings.iterations = kExact.iterations;
  exact.settings.tolerance = 1e-9;
  Simulation simulation(exact);
  for (int step = 1; step <= 8; ++step) {
    if (step == 2 || step == 5 || step == 8) {
      const State& from = simulation.state();
      Points x = from.x, v = from.v, a = from.a;
      for (int s = 0; s < 2; ++s) {
        BeamStage problem = beam_stage(from, s, x, v, a);
        system.place_pins(0, problem.start, v);
        x = converged(system, problem);
        v = (x - problem.stage.x_p) / problem.stage.h;
        a = (v - problem.stage.v_p) / problem.stage.h;
        system.place_pins(0, x, v);
        samples.push_back({std::move(problem), x});
      }
    }
    simulation.advance(kBeamDt);
  }
  return samples;
}

double mass_norm(const SimulationModel& system, const Points& d) {
  double sum = 0;
  for (int i = 0; i < system.point_count(); ++i)
    if (!system.pinned[i]) sum += system.mass[i] * d.col(i).squaredNorm();
  return std::sqrt(sum);
}

// solve(budget) gives x after that many iterations: the smallest budgets that meet kErrors.
template <class Solve>
std::array<int, 3> count_iterations(const SimulationModel& system, const StageSample& sample,
                                    const Solve& solve) {
  std::array<int, 3> counts = {kCap, kCap, kCap};
  const double scale = mass_norm(system, sample.problem.stage.x_tilde - sample.solution);
  std::size_t met = 0;
  for (int budget = 1; budget < kCap && met < kErrors.size(); ++budget) {
    const double error = mass_norm(system, solve(budget) - sample.solution) / scale;
    while (met < kErrors.size() && error < kErrors[met]) counts[met++] = budget;
  }
  return counts;
}

using Counts = std::array<double, 3>;

template <class Count>
Counts average(const std::vector<StageSample>& samples, const Count& count) {
  Counts sum{};
  for (const StageSample& sample : samples) {
    const std::array<int, 3> one = count(sample);
    for (std::size_t e = 0; e < kErrors.size(); ++e)
      sum[e] += one[e] / static_cast<double>(samples.size());
  }
  return sum;
}

Counts count_ours(const SimulationModel& system, const std::vector<StageSample>& samples,
                  SolverChoice stage_solver) {
  Islands solver(system);
  return average(samples, [&](const StageSample& sample) {
    return count_iterations(system, sample, [&](int budget) {
      std::vector<double> dual(solver.force_size(), 0.0);
      Points x = sample.problem.start;
      solver.solve(sample.problem.stage, sample.problem.before, {budget, 0.0, stage_solver}, {}, x,
                   dual);
      return x;
    });
  });
}

Counts count_plain(const SimulationModel& system, const std::vector<StageSample>& samples) {
  TetTerms terms = system.tets();
  for (int t = 0; t < terms.count(); ++t)
    terms.squared_weight[t] = terms.volume[t] * (terms.lame[t].lambda + terms.lame[t].mu * 2 / 3);
  TextbookAdmm<NeoHookean> solver(terms, system.mass, system.pinned, samples[0].problem.stage.h);
  return average(samples, [&](const StageSample& sample) {
    TextbookAdmm<NeoHookean>::Result result;
    Points x = sample.problem.start;
    solver.begin(x);
    return count_iterations(system, sample, [&](int /*budget*/) {
      solver.iterate(sample.problem.stage, x, result);
      return x;
    });
  });
}

void print(const char* name, const Counts& counts) {
  std::printf("%-40s %6.1f %6.1f %6.1f\n", name, counts[0], counts[1], counts[2]);
}

void simulate_frames(const Scene& scene) {
  Simulation simulation(scene);
  std::printf("\ndefault settings (%d iterations, tolerance %.0e)\n", scene.settings.iterations,
              scene.settings.tolerance);
  for (int frame = 1; frame <= 8; ++frame) {
    const FrameReport report = simulation.advance(kBeamDt);
    std::printf("frame %d: %3d iterations in 2 stages, %6.1f ms (local %.1f, global %.1f)\n", frame,
                report.iterations, report.ms.total, report.ms.local, report.ms.global);
  }
}

}  // namespace
}  // namespace dashpot

int main() {
  using namespace dashpot;
  const Scene scene = beam_scene(kCells, Material::kNeoHookean);
  const SimulationModel system(scene);
  const std::vector<StageSample> samples = sample_stages(system, scene);
  std::printf("iterations per stage, %d tets, to |x - x*|/|x~ - x*| below %14.0e %6.0e %6.0e\n",
              kCells.tets(), kErrors[0], kErrors[1], kErrors[2]);
  const Counts ours = count_ours(system, samples, SolverChoice::kAutomatic);
  const Counts plain = count_plain(system, samples);
  print("ours", ours);
  print("ours, stagesolver = admm", count_ours(system, samples, SolverChoice::kAdmm));
  print("plain ADMM, w^2 = V * bulk modulus", plain);
  std::printf("%-40s %6.1f %6.1f %6.1f (capped at %d)\n", "ratio", plain[0] / ours[0],
              plain[1] / ours[1], plain[2] / ours[2], kCap);
  simulate_frames(scene);
}
