#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "solver/simulation/simulation.h"
#include "standalone/cli/checkpoint.h"
#include "standalone/cli/frame_warnings.h"
#include "standalone/cli/progress.h"
#include "standalone/cli/run_folder.h"
#include "standalone/cli/run_manifest.h"
#include "standalone/cli/stats.h"
#include "standalone/frames/background_writer.h"
#include "standalone/frames/frame_geometry.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

struct RunOptions {
  int first_frame = 1, last_frame = 1;
  bool resume = false;
  int checkpoint_every = 10;  // frames; 0: only when interrupted
  Progress::Style progress = Progress::Style::kAuto;
  std::vector<const ElementDiagnostic*> diagnostics;  // attributes that frames get
  bool contacts = false;                              // those of contacts, too
  RunRecord record;
};

// Simulates a scene into a folder: frames, stats, run.json and checkpoint.bin. A frame file is
// complete before its stats line is written, and both before a checkpoint that includes them; all
// three in the background, while later frames are simulated.
class SimulationRun {
 public:
  // Writes the manifest. If asked to go on from the checkpoint, looks which frames before it are
  // still as they were written. Throws InputError.
  SimulationRun(SceneFile scene, RunOptions options, RunFolder& folder);

  // False if it was interrupted; the checkpoint then holds the last complete frame. Every frame
  // that was simulated is on disk before this returns or throws what the simulation threw. Throws
  // InputError if a file cannot be written; the frames before it are complete.
  bool execute();

  void print_summary() const;

 private:
  // A part of the run: up to a frame, with checkpoints into a file. Of a repair only those frames
  // are written that were lost.
  struct Stretch {
    int last;
    std::string checkpoint;
    const std::set<int>* lost = nullptr;

    bool writes(int frame) const { return !lost || lost->count(frame) > 0; }
  };

  void restore_checkpoint();
  void open_files();
  bool repair_and_simulate();
  // Simulates what was lost before the checkpoint again. False if it was interrupted.
  bool repair();
  // From frame_ on. False if it was interrupted.
  bool simulate(const Stretch& stretch);
  FrameReport advance();
  bool checkpoint_is_due(const Stretch& stretch) const;
  void start_at(int frame, State state);
  // Of state_ and frame_, in the background.
  void submit_frame(const FrameReport& report);
  void submit_checkpoint(const std::string& path);
  void report_warnings(const FrameReport& report);

  SceneFile scene_;
  RunOptions options_;
  RunFolder& folder_;
  Simulation simulation_;
  FrameGeometry frames_;                // the writer's, while it works
  std::uint64_t identity_;              // of the scene, its initial state and its frame rate
  int frame_;                           // last frame that is complete
  std::shared_ptr<const State> state_;  // at that frame
  std::optional<Checkpoint> restored_;
  std::set<int> lost_;  // frames up to the restored one that must be simulated again
  std::optional<StatsFile> stats_;
  Progress progress_;
  FrameWarnings warnings_;
  bool warned_of_precision_ = false;

  int simulated_frames_ = 0;
  long iterations_ = 0;
  double milliseconds_ = 0;

  BackgroundWriter writer_;  // ends before what its tasks use
};

}  // namespace dashpot
