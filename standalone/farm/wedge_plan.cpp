#include "standalone/farm/wedge_plan.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/files/file_digest.h"
#include "standalone/files/read_file.h"

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
  return hex_digits(hash.value()).substr(8);
}

// body.jelly.dampingtime=0.01 -> jelly.dampingtime-0.01
std::string part_of_name(const std::string& key, const std::string& value) {
  const std::size_t dot = key.find('.');
  const bool drop = dot != std::string::npos && !is_preset_key(key);
  return plain((drop ? key.substr(dot + 1) : key) + "-" + value);
}

// Equal for values that are the same numbers in other words: 1e5 and 100000, [0,1] and [0, 1.0].
std::string meaning_of(const std::string& value) {
  constexpr const char* kAroundNumbers = " ,[]{}=";
  std::string meaning;
  for (std::size_t at = 0; at < value.size();) {
    std::size_t end = value.find_first_of(kAroundNumbers, at);
    if (end == std::string::npos) end = value.size();
    const std::string word = value.substr(at, end - at);
    char* rest = nullptr;
    const double number = std::strtod(word.c_str(), &rest);
    char digits[32] = {};
    const bool is_number = !word.empty() && *rest == '\0';
    if (is_number) std::snprintf(digits, sizeof digits, "%.17g", number + 0.0);
    meaning += is_number ? digits : word;
    if (end < value.size() && value[end] != ' ') meaning += value[end];
    at = end + 1;
  }
  return meaning;
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

// Before anything of their number is made.
void refuse_absurd_grid(const std::vector<Variation>& variations) {
  double runs = 1;
  for (const Variation& variation : variations)
    runs *= static_cast<double>(variation.values.size());
  if (runs <= kMostRuns) return;
  char count[32];
  std::snprintf(count, sizeof count, "%.0f", runs);
  throw InputError("--vary: this grid has " + std::string(runs < 1e15 ? count : "countless") +
                   " runs, and at most " + std::to_string(kMostRuns) +
                   " make a wedge; take fewer values, or several wedges.");
}

}  // namespace

Variation read_variation(const std::string& argument) {
  const std::string where = "--vary " + argument;
  const std::size_t equals = argument.find('=');
  if (equals == std::string::npos || equals == 0)
    throw InputError(where + ": write key=value,value, as in body.jelly.dampingtime=0.01,0.1.");
  Variation variation{argument.substr(0, equals), split_values(argument.substr(equals + 1))};
  std::map<std::string, std::string> seen;
  for (const std::string& value : variation.values) {
    if (value.empty())
      throw InputError(where + ": there is an empty value; write one between two commas.");
    const auto [first, added] = seen.emplace(meaning_of(value), value);
    if (!added)
      throw InputError(std::string(where).append(": the value ") + value + " is there twice" +
                       (first->second == value ? "." : ", also as " + first->second + "."));
  }
  return variation;
}

std::vector<WedgeRun> expand(const std::vector<Variation>& variations) {
  refuse_absurd_grid(variations);
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
  std::map<std::string, int> uses;
  for (const GridPoint& point : grid) ++uses[point.name];
  std::vector<WedgeRun> runs;
  for (GridPoint& point : grid) {
    std::string name = point.name;
    if (uses[point.name] > 1 || name.size() > kLongestName)
      name = name.substr(0, kLongestName) + "_" + digest(point.exact);
    runs.push_back({name, point.arguments});
  }
  return runs;
}

std::vector<std::pair<std::string, std::string>> settings_of(const WedgeRun& run) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (std::size_t i = 0; i + 1 < run.arguments.size(); i += 2) {
    const bool preset = run.arguments[i] == "--preset";
    const std::string& word = run.arguments[i + 1];
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos)
      settings.emplace_back("preset", word);
    else
      settings.emplace_back((preset ? "preset." : "") + word.substr(0, equals),
                            word.substr(equals + 1));
  }
  return settings;
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
  } catch (const nlohmann::json::exception&) {
    throw InputError("'" + path +
                     "' is not what dashpot wedge wrote; give the scene and --vary again.");
  }
}

}  // namespace dashpot
