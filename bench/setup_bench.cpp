// What an edit costs before the first iteration of the first step: making the simulation, and a
// step that is cancelled there. From nothing, and with what the simulation before the edit leaves;
// the two are alternated, best of the repeats.
//   setup_bench [cells across] [repeats]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>

#include "solver/simulation/simulation.h"
#include "standalone/bench/beam.h"

using namespace dashpot;

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Edit {
  const char* name;
  std::function<void(Scene&)> apply;
};

const Edit kEdits[] = {
    {"gravity", [](Scene& scene) { scene.settings.gravity.y() = -3; }},
    {"youngsmodulus",
     [](Scene& scene) { scene.bodies[0].fields.set("youngsmodulus", 2e5, "beam"); }},
    {"substeps", [](Scene& scene) { scene.settings.substeps = 2; }},
    {"one pin less", [](Scene& scene) { scene.bodies[0].pins[0].points.pop_back(); }},
};

struct Timing {
  double made = std::numeric_limits<double>::infinity(), begun = made;
  SetupWork work;

  void run(const Scene& scene, const std::shared_ptr<const PreparedMatrices>& former) {
    Scene own = scene;
    auto start = Clock::now();
    Simulation simulation(std::move(own), former);
    made = std::min(made, milliseconds_since(start));
    start = Clock::now();
    simulation.advance(kBeamDt, [] { return true; });
    begun = std::min(begun, milliseconds_since(start));
    work = simulation.setup_work();
  }
  void print(const char* how) const {
    std::printf(
        "  %-6s %7.1f ms (%.1f to make it, %.1f to begin the step), %d orderings, %d "
        "factorizations\n",
        how, made + begun, made, begun, work.orderings, work.factorizations);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 2 ? std::atoi(argv[2]) : 5;
  const int across = argc > 1 ? std::atoi(argv[1]) : 13;
  const BeamCells cells = {4 * across, across};
  Scene scene = beam_scene(cells, Material::kNeoHookean);
  Simulation before(scene);
  before.advance(kBeamDt);
  const auto former = before.prepared_matrix();
  std::printf("%d tets\n", cells.tets());
  for (const Edit& edit : kEdits) {
    Scene edited = scene;
    edit.apply(edited);
    Timing fresh, reused;
    for (int k = 0; k < repeats; ++k) {
      fresh.run(edited, nullptr);
      reused.run(edited, former);
    }
    std::printf("%s\n", edit.name);
    fresh.print("fresh");
    reused.print("reused");
  }
  return 0;
}
