#pragma once

#include <functional>
#include <string>
#include <vector>

#include "standalone/runs/drawn_points.h"
#include "standalone/runs/ground.h"
#include "standalone/runs/run_names.h"

namespace dashpot {

struct ReportOptions {
  std::vector<ShownRun> runs;
  int columns = 0;                    // that suit a grid of runs; 0: any
  std::string title;                  // empty: the names of the runs
  std::vector<std::string> problems;  // known already: runs that are left out, or not done
  SurfaceChoice surface = SurfaceChoice::kAuto;
  GroundChoice ground;
  std::string program;  // name and version, for the page's foot
  // The sentence that explains a word of the statistics' "status".
  std::function<std::string(const std::string&)> explain_status;
};

struct Report {
  std::string html;
  std::vector<std::string> problems;  // what the page says is missing, for the terminal
};

// One page that needs nothing else, neither files nor network. Throws InputError if a directory
// holds nothing of a run, or if this program was built without the page.
Report make_report(const ReportOptions& options);

// The data of the page alone: elements that go into its body.
std::string report_data(const ReportOptions& options, std::vector<std::string>& problems);

}  // namespace dashpot
