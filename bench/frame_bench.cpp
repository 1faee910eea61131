// What writing frames costs beside simulating them: the same run without output, with each frame
// written before the next one is simulated, and with the background writer. One program run, frames
// interleaved, so that the machine's mood is the same for all three.
//   frame_bench [cells across] [frames] [folder]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "solver/simulation/simulation.h"
#include "standalone/frames/background_writer.h"
#include "standalone/frames/frame_geometry.h"
#include "standalone/geometry/geometry_writer.h"
#include "standalone/scene/scene_file.h"

using namespace dashpot;

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

enum Mode { kNoOutput, kInline, kBackground, kModes };
constexpr const char* kModeNames[] = {"no output", "written inline", "background"};

struct Run {
  Simulation simulation;
  FrameGeometry frames;
  BackgroundWriter writer;
  double total_ms = 0, io_ms = 0, waiting_ms = 0;

  explicit Run(const SceneFile& scene) : simulation(scene.scene), frames(scene, {}) {}

  void write(const std::string& path, int frame, const State& state) {
    const auto start = Clock::now();
    write_geometry(path, frames.at(frame, state, {}));
    io_ms += milliseconds_since(start);
  }

  void step(Mode mode, int frame, double dt, const std::string& path) {
    const auto start = Clock::now();
    simulation.advance(dt);
    const auto output = Clock::now();
    const auto state = std::make_shared<const State>(simulation.state());
    if (mode == kInline) write(path, frame, *state);
    if (mode == kBackground) writer.submit([=] { write(path, frame, *state); });
    waiting_ms += milliseconds_since(output);
    total_ms += milliseconds_since(start);
  }

  // Other runs must not pay for this one's last frames.
  void finish() {
    const auto start = Clock::now();
    writer.finish();
    total_ms += milliseconds_since(start);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int cells = argc > 1 ? std::atoi(argv[1]) : 20;
  const int frames = argc > 2 ? std::atoi(argv[2]) : 24;
  const std::filesystem::path folder =
      (argc > 3 ? std::filesystem::path(argv[3]) : std::filesystem::temp_directory_path()) /
      "dashpot_frame_bench";
  std::filesystem::create_directories(folder);
  const std::string scene_path = (folder / "scene.toml").string();
  std::ofstream(scene_path) << "[[body]]\nname = \"block\"\nyoungsmodulus = 5e4\n"
                               "geometry = { type = \"box\", cells = "
                            << cells << " }\npin = { box = [[-1, 0.49, -1], [1, 0.51, 1]] }\n";
  const SceneFile scene = load_scene_file(scene_path);
  std::printf("%d tets, %d frames into %s\n", scene.scene.bodies[0].mesh.tet_count(), frames,
              folder.c_str());

  constexpr int kBlock = 6;  // frames in a row, so that the background has something to overlap
  std::unique_ptr<Run> runs[kModes];
  for (auto& run : runs) run = std::make_unique<Run>(scene);
  for (int first = 1; first <= frames; first += kBlock)
    for (const Mode mode : {kNoOutput, kInline, kBackground}) {
      for (int f = first; f < std::min(first + kBlock, frames + 1); ++f)
        runs[mode]->step(mode, f, 1.0 / scene.fps,
                         (folder / ("f." + std::to_string(f) + ".bgeo.sc")).string());
      runs[mode]->finish();
    }
  for (int m = 0; m < kModes; ++m) {
    const Run& run = *runs[m];
    std::printf("%-15s %7.1f ms per frame; the simulation waits %5.2f ms (%4.2f %%) for output;",
                kModeNames[m], run.total_ms / frames, run.waiting_ms / frames,
                100 * run.waiting_ms / run.total_ms);
    std::printf(" encoding and writing take %5.1f ms\n", run.io_ms / frames);
  }
  std::filesystem::remove_all(folder);
  return 0;
}
