#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solver/simulation/simulation.h"
#include "standalone/cli/frame_pattern.h"
#include "standalone/cli/frame_warnings.h"
#include "standalone/cli/progress.h"
#include "standalone/cli/run_manifest.h"
#include "standalone/cli/stats.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

struct RunOptions {
  std::string out;    // frame pattern
  std::string stats;  // path
  int first_frame = 1, last_frame = 1;
  bool resume = false;
  int checkpoint_every = 10;  // frames; 0: only when interrupted
  Progress::Style progress = Progress::Style::kAuto;
  RunRecord record;
};

// Simulates a scene into a directory: frames, stats, run.json and checkpoint.bin. A frame file is
// complete before its stats line is written, and both before a checkpoint that includes them.
class SimulationRun {
 public:
  // Creates the directory and the manifest, and restores the checkpoint if asked to. Throws
  // InputError.
  SimulationRun(SceneFile scene, RunOptions options);

  // False if it was interrupted; the checkpoint then holds the last complete frame.
  bool execute();

  void print_summary() const;

 private:
  void open_directory();
  void restore_checkpoint();
  void write_frame(const FrameReport& report);
  void report_warnings(const FrameReport& report);
  void checkpoint(const State& state) const;

  SceneFile scene_;
  RunOptions options_;
  FramePattern pattern_;
  Simulation simulation_;
  std::uint64_t identity_;  // of the scene, its initial state and its frame rate
  int frame_;               // last frame that is complete
  bool restored_ = false;
  std::optional<StatsFile> stats_;
  Progress progress_;
  FrameWarnings warnings_;

  // Frames in the solver's and the host's order
  std::vector<Tet> tets_;
  std::map<std::string, std::vector<int>> point_groups_, tet_groups_;

  int simulated_frames_ = 0;
  long iterations_ = 0;
  double milliseconds_ = 0;
};

}  // namespace dashpot
