#pragma once

#include <string>
#include <vector>

#include "standalone/runs/run_names.h"

namespace dashpot {

// The runs that a page or a picture shows.
struct ShownRuns {
  std::vector<ShownRun> runs;
  std::string title;
  int columns = 0;                    // that suit a grid of runs; 0: any
  std::vector<std::string> problems;  // sentences: which runs of a wedge are left out or not done
};

// `directories` are of runs, or of wedges, whose runs come in the order of their values. Throws
// InputError if a wedge has no run to show yet.
ShownRuns find_shown_runs(const std::vector<std::string>& directories);

}  // namespace dashpot
