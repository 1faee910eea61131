// Peak memory of simulating two frames of a beam of 200k tets. The target is below 1.5 GiB.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>

#include "solver/simulation/simulation.h"
#include "standalone/bench/beam.h"

namespace {

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts KiB
}

}  // namespace

int main() {
  using namespace dashpot;
  constexpr BeamCells kCells = {83, 20};
  constexpr double kTargetMib = 1536;
  const auto start = std::chrono::steady_clock::now();
  Simulation simulation(beam_scene(kCells, Material::kNeoHookean));
  const std::chrono::duration<double> setup = std::chrono::steady_clock::now() - start;
  std::printf("%d tets: set up in %.2f s, peak %.0f MiB\n", kCells.tets(), setup.count(),
              peak_mib());
  for (int frame = 1; frame <= 2; ++frame) {
    const FrameReport report = simulation.advance(kBeamDt);
    std::printf("frame %d: %d iterations, %.0f ms, peak %.0f MiB\n", frame, report.iterations,
                report.ms.total, peak_mib());
  }
  const bool met = peak_mib() < kTargetMib;
  std::printf("target %.0f MiB: %s\n", kTargetMib, met ? "met" : "MISSED");
  return met ? 0 : 1;
}
