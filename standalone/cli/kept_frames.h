#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "standalone/cli/run_folder.h"
#include "standalone/cli/stats.h"

namespace dashpot {

// What is left of a run that is to go on. A frame counts if its file is as it was written and its
// line of statistics is there.
struct KeptFrames {
  std::map<int, StatsLine> lines;  // of the frames that count
  std::vector<int> without_file, altered, without_stats;

  std::set<int> lost() const;
  // "frame 7 is missing, frames 9-10 have changed", or empty.
  std::string complaint() const;
};

// Looks into every file. Throws InputError if the statistics cannot be read.
KeptFrames check_frames(const RunFolder& folder, int first, int last);

}  // namespace dashpot
