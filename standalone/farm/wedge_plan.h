#pragma once

#include <string>
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

// Every combination; the last variation changes fastest. A name depends on its own keys and values
// only, so that adding a value to the grid leaves the other runs where they are.
std::vector<WedgeRun> expand(const std::vector<Variation>& variations);

constexpr const char* kPlanName = "wedge.json";

void write_plan(const std::string& directory, const WedgePlan& plan);
// Throws InputError if there is none.
WedgePlan read_plan(const std::string& directory);

}  // namespace dashpot
