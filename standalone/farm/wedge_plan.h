#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dashpot {

// One --vary argument: a key of the scene, or `preset` or `preset.body`, and the values to try.
struct Variation {
  std::string key;
  std::vector<std::string> values;
};

// "body.jelly.dampingtime=0.01,0.03,0.1". Commas inside brackets, braces and quotes belong to a
// value. Throws InputError.
Variation read_variation(const std::string& argument);

struct WedgeRun {
  std::string name;                    // of its folder; says key and value
  std::vector<std::string> arguments;  // of dashpot simulate
};

// A grid of runs of one scene. wedge.json in the wedge's folder holds it, so that a farm's tasks
// need nothing but the folder and a number.
struct WedgePlan {
  std::string scene;                   // absolute path
  std::vector<std::string> arguments;  // of dashpot simulate, for all runs
  std::vector<WedgeRun> runs;
  std::vector<int> frames;  // first and last of the scene, for whoever lists files to come
};

// A scheduler's job arrays end here, too, and every run is a simulation.
constexpr int kMostRuns = 2000;

// Every combination; the last variation changes fastest. A name depends on its own keys and values
// only, so that adding a value to the grid leaves the other runs where they are. Throws InputError
// for more than kMostRuns.
std::vector<WedgeRun> expand(const std::vector<Variation>& variations);

// The keys and values that a run was made with, in the order of --vary.
std::vector<std::pair<std::string, std::string>> settings_of(const WedgeRun& run);

// In the folder of a wedge
constexpr const char* kPlanName = "wedge.json";
constexpr const char* kFailedName = "failed.txt";
// In that of a run; the first one in both
constexpr const char* kStatusName = "status.json";
constexpr const char* kLogName = "log.txt";
constexpr const char* kLockName = "lock";

void write_plan(const std::string& directory, const WedgePlan& plan);
// Throws InputError if there is none.
WedgePlan read_plan(const std::string& directory);

}  // namespace dashpot
