#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "standalone/files/input_files.h"
#include "standalone/runs/manifest.h"
#include "standalone/runs/run_names.h"
#include "standalone/runs/run_stats.h"
#include "standalone/runs/sane_bounds.h"

namespace dashpot {

// A run as it lies on disk, whatever state it was left in: still going, interrupted, or with files
// that are missing or damaged. All of that is told in sentences.
struct RunDirectory {
  std::filesystem::path path;
  std::string name;               // of the directory
  nlohmann::ordered_json record;  // run.json as it is; null if it cannot be read
  RunManifest manifest;           // without run.json: no bodies, and what file names tell
  RunStats stats;
  std::vector<int> frames;            // those that have a file, ascending
  std::vector<std::string> problems;  // of the directory and its statistics

  std::filesystem::path frame_path(int frame) const;
  // First and last frame of which anything is known.
  int first_frame() const;
  int last_frame() const;
  // Of the simulation, s.
  double time_of(int frame) const;
  // The boxes of the frames that the statistics tell of.
  FrameBoxes bounds() const;
};

// What commands read of runs: their frames, records and statistics. Never throws.
InputFiles run_inputs(const std::vector<ShownRun>& runs);

// Throws InputError if there is nothing of a run in the directory.
RunDirectory open_run(const std::filesystem::path& directory);

}  // namespace dashpot
