#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/simulation/simulation.h"
#include "standalone/cli/frame_pattern.h"
#include "standalone/cli/frame_warnings.h"
#include "standalone/cli/progress.h"
#include "standalone/cli/run_manifest.h"
#include "standalone/cli/stats.h"
#include "standalone/frames/background_writer.h"
#include "standalone/frames/frame_geometry.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

struct RunOptions {
  std::string out;    // frame pattern
  std::string stats;  // path
  int first_frame = 1, last_frame = 1;
  bool resume = false;
  int checkpoint_every = 10;  // frames; 0: only when interrupted
  Progress::Style progress = Progress::Style::kAuto;
  std::vector<const ElementDiagnostic*> diagnostics;  // attributes that frames get
  RunRecord record;
};

// Of the run whose frames are in `directory`.
std::string checkpoint_path(const std::string& directory);

// Throws InputError if it cannot be made.
void make_run_directory(const std::string& directory);

// Simulates a scene into a directory: frames, stats, run.json and checkpoint.bin. A frame file is
// complete before its stats line is written, and both before a checkpoint that includes them; all
// three in the background, while later frames are simulated.
class SimulationRun {
 public:
  // Creates the directory and the manifest, and restores the checkpoint if asked to. Throws
  // InputError.
  SimulationRun(SceneFile scene, RunOptions options);

  // False if it was interrupted; the checkpoint then holds the last complete frame. Every frame
  // that was simulated is on disk before this returns or throws what the simulation threw. Throws
  // InputError if a file cannot be written; the frames before it are complete.
  bool execute();

  void print_summary() const;

 private:
  void open_directory();
  void restore_checkpoint();
  bool simulate_frames();
  // Of state_ and frame_, in the background.
  void submit_frame(const FrameReport& report, bool with_checkpoint);
  void submit_checkpoint();
  void checkpoint(int frame, const State& state) const;
  void report_warnings(const FrameReport& report);

  SceneFile scene_;
  RunOptions options_;
  FramePattern pattern_;
  Simulation simulation_;
  FrameGeometry frames_;                // the writer's, while it works
  std::uint64_t identity_;              // of the scene, its initial state and its frame rate
  int frame_;                           // last frame that is complete
  std::shared_ptr<const State> state_;  // at that frame
  bool restored_ = false;
  std::optional<StatsFile> stats_;
  Progress progress_;
  FrameWarnings warnings_;

  int simulated_frames_ = 0;
  long iterations_ = 0;
  double milliseconds_ = 0;

  BackgroundWriter writer_;  // ends before what its tasks use
};

}  // namespace dashpot
