#include "standalone/farm/wedge_plan.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "solver/base/error.h"
#include "solver/base/hash.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/text_scanner.h"

namespace dashpot {
namespace {

constexpr std::size_t kLongestName = 120;

std::vector<std::string> split_values(const std::string& text) {
  std::vector<std::string> values(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && depth == 0 && !quoted)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

bool is_preset_key(const std::string& key) {
  return key == "preset" || key.rfind("preset.", 0) == 0;
}

std::vector<std::string> arguments_of(const std::string& key, const std::string& value) {
  if (!is_preset_key(key)) return {"--set", key + "=" + value};
  return {"--preset", key == "preset" ? value : key.substr(7) + "=" + value};
}

// Letters that any file system and any shell takes as they are.
std::string plain(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool keep =
        std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-' || c == '+';
    if (keep)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  return result;
}

std::string digest(const std::string& text) {
  Hash hash;
  for (const char c : text) hash.add_value(c);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%08llx",
                static_cast<unsigned long long>(hash.value() & 0xffffffffU));
  return digits;
}

// body.jelly.dampingtime=0.01 -> jelly.dampingtime-0.01
std::string part_of_name(const std::string& key, const std::string& value) {
  const std::size_t dot = key.find('.');
  const bool drop = dot != std::string::npos && !is_preset_key(key);
  return plain((drop ? key.substr(dot + 1) : key) + "-" + value);
}

struct GridPoint {
  std::string name, exact;
  std::vector<std::string> arguments;
};

GridPoint extended(GridPoint point, const std::string& key, const std::string& value) {
  point.name += (point.name.empty() ? "" : "_") + part_of_name(key, value);
  point.exact += key + "=" + value + "\n";
  for (std::string& word : arguments_of(key, value)) point.arguments.push_back(std::move(word));
  return point;
}

}  // namespace

Variation read_variation(const std::string& argument) {
  const std::string where = "--vary " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(where + ": write key=value,value, as in body.jelly.dampingtime=0.01,0.1.");
  Variation variation{argument.substr(0, equals), split_values(argument.substr(equals + 1))};
  std::set<std::string> seen;
  for (const std::string& value : variation.values) {
    if (value.empty())
      throw InputError(where + ": there is an empty value; write one between two commas.");
    if (!seen.insert(value).second)
      throw InputError(std::string(where).append(": the value ") + value + " is there twice.");
  }
  return variation;
}

std::vector<WedgeRun> expand(const std::vector<Variation>& variations) {
  std::vector<GridPoint> grid(1);
  std::set<std::string> keys;
  for (const Variation& variation : variations) {
    if (!keys.insert(variation.key).second)
      throw InputError("--vary " + variation.key + " is there twice; give all values in one.");
    std::vector<GridPoint> next;
    for (const GridPoint& point : grid)
      for (const std::string& value : variation.values)
        next.push_back(extended(point, variation.key, value));
    grid = std::move(next);
  }
  std::vector<WedgeRun> runs;
  for (GridPoint& point : grid) {
    const bool same = std::count_if(grid.begin(), grid.end(), [&](const GridPoint& other) {
                        return other.name == point.name;
                      }) > 1;
    std::string name = point.name;
    if (same || name.size() > kLongestName)
      name = name.substr(0, kLongestName) + "_" + digest(point.exact);
    runs.push_back({name, point.arguments});
  }
  return runs;
}

void write_plan(const std::string& directory, const WedgePlan& plan) {
  nlohmann::ordered_json runs = nlohmann::ordered_json::array();
  for (const WedgeRun& run : plan.runs)
    runs.push_back({{"name", run.name}, {"arguments", run.arguments}});
  const nlohmann::ordered_json json = {{"scene", plan.scene},
                                       {"arguments", plan.arguments},
                                       {"frames", plan.frames},
                                       {"runs", runs}};
  write_file_atomically((std::filesystem::path(directory) / kPlanName).string(),
                        json.dump(2) + "\n");
}

WedgePlan read_plan(const std::string& directory) {
  const std::string path = (std::filesystem::path(directory) / kPlanName).string();
  if (!std::filesystem::exists(path))
    throw InputError("'" + directory + "' holds no " + kPlanName +
                     "; give the folder of a wedge, or a scene and --vary.");
  try {
    const auto json = nlohmann::json::parse(read_file(path));
    WedgePlan plan{json.at("scene"), json.at("arguments"), {}, {}};
    for (const auto& run : json.at("runs"))
      plan.runs.push_back({run.at("name"), run.at("arguments")});
    return plan;
  } catch (const nlohmann::json::exception& error) {
    throw InputError("'" + path + "' is not a wedge that dashpot wrote: " + error.what() + ".");
  }
}

}  // namespace dashpot
