#include "standalone/cli/shown_runs.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "solver/base/error.h"
#include "standalone/farm/run_status.h"
#include "standalone/runs/manifest.h"

namespace dashpot {
namespace {

namespace fs = std::filesystem;

// More pictures beside each other than this are not easier to compare.
constexpr std::size_t kMostColumns = 8;

bool is_wedge(const fs::path& directory) {
  return fs::exists(directory / kPlanName) && !fs::exists(directory / kManifestName);
}

std::vector<RunSettings> all_settings(const WedgePlan& plan) {
  std::vector<RunSettings> settings;
  settings.reserve(plan.runs.size());
  for (const WedgeRun& run : plan.runs) settings.push_back(settings_of(run));
  return settings;
}

// Empty for a run that is done.
std::string what_is_wrong(const RunStatus& status) {
  switch (status.state) {
    case RunState::kDone:
      return "";
    case RunState::kFailed:
      return "it failed" + (status.message.empty() ? "." : ": " + status.message);
    case RunState::kStopped:
      return "it was stopped before its end.";
    case RunState::kRunning:
      return "it is still running.";
    case RunState::kPending:
      break;
  }
  return "it has not started.";
}

// The number of values that the last key has, if the runs fill a grid.
int grid_columns(const std::vector<RunSettings>& settings, std::size_t shown) {
  std::set<std::string> last;
  for (const RunSettings& run : settings)
    if (!run.empty()) last.insert(run.back().second);
  const bool fits = last.size() > 1 && last.size() <= kMostColumns && last.size() < shown &&
                    shown == settings.size() && shown % last.size() == 0;
  return fits ? static_cast<int>(last.size()) : 0;
}

std::string keys_text(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : " \u00d7 ") + key;
  return text;
}

ShownRuns runs_of_wedge(const std::string& directory) {
  const WedgePlan plan = read_plan(directory);
  const std::vector<RunSettings> settings = all_settings(plan);
  const GridNames names = grid_names(settings);
  ShownRuns shown;
  for (const std::size_t i : order_of_values(settings)) {
    const std::string folder = run_folder(directory, plan.runs[i]);
    const RunStatus status = read_status(folder);
    const std::string wrong = what_is_wrong(status);
    // What lost its status may be whole; if it is not, its frames tell.
    const bool begun = fs::exists(fs::path(folder) / kManifestName);
    if (begun) shown.runs.push_back({folder, names.runs[i]});
    if (begun && !wrong.empty() && status.state != RunState::kPending)
      shown.problems.push_back(names.runs[i] + ": " + wrong);
    if (!begun)
      shown.problems.push_back(
          names.runs[i] + " is left out: " + (wrong.empty() ? "its run.json is gone." : wrong));
  }
  if (shown.runs.empty())
    throw InputError("'" + directory + "' has no run to show yet: " +
                     (shown.problems.empty() ? "its plan is empty." : shown.problems.front()));
  shown.title = short_names({directory}).front() + ": " + keys_text(names.keys);
  shown.columns = grid_columns(settings, shown.runs.size());
  return shown;
}

// Runs of one wedge that are given one by one are called as in the whole of it.
std::optional<std::vector<std::string>> names_in_one_wedge(const std::vector<std::string>& runs) {
  std::vector<RunSettings> settings;
  fs::path wedge;
  for (const std::string& run : runs) {
    const fs::path folder = fs::absolute(run + "/.").lexically_normal().parent_path();
    if (wedge.empty()) wedge = folder.parent_path();
    if (folder.parent_path() != wedge || !is_wedge(wedge)) return {};
    const WedgePlan plan = read_plan(wedge.string());
    const auto found = std::find_if(plan.runs.begin(), plan.runs.end(), [&](const WedgeRun& each) {
      return each.name == folder.filename();
    });
    if (found == plan.runs.end()) return {};
    settings.push_back(settings_of(*found));
  }
  return grid_names(settings).runs;
}

std::vector<std::string> names_of(const std::vector<std::string>& runs) {
  if (runs.size() > 1)
    if (auto names = names_in_one_wedge(runs)) return *names;
  return short_names(runs);
}

}  // namespace

ShownRuns find_shown_runs(const std::vector<std::string>& directories) {
  if (directories.size() == 1 && is_wedge(directories.front()))
    return runs_of_wedge(directories.front());
  const bool wedges = std::any_of(directories.begin(), directories.end(), is_wedge);
  const std::vector<std::string> names = wedges ? short_names(directories) : names_of(directories);
  ShownRuns all;
  for (std::size_t i = 0; i < directories.size(); ++i) {
    if (!is_wedge(directories[i])) {
      all.runs.push_back({directories[i], names[i]});
      continue;
    }
    ShownRuns some = runs_of_wedge(directories[i]);
    for (ShownRun& run : some.runs) all.runs.push_back({run.directory, names[i] + ": " + run.name});
    for (const std::string& sentence : some.problems)
      all.problems.push_back(names[i] + ": " + sentence);
  }
  all.title = joined_names(names);
  return all;
}

}  // namespace dashpot
