#include "standalone/runs/run_stats.h"

#include <set>
#include <sstream>
#include <string_view>

#include "solver/base/error.h"
#include "standalone/files/frame_name.h"
#include "standalone/files/read_file.h"

namespace dashpot {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no words for these, but Python's writer, among others, uses them.
std::string without_nonfinite_words(const std::string& line) {
  std::string result;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
    std::size_t skipped = 0;
    for (const std::string_view word :
         {"-Infinity", "Infinity", "-NaN", "NaN", "-nan", "nan", "-inf", "inf"})
      if (!quoted && skipped == 0 && line.compare(i, word.size(), word) == 0) skipped = word.size();
    if (skipped > 0) {
      result += "null";
      i += skipped - 1;
    } else {
      result += line[i];
    }
  }
  return result;
}

Json parse_line(const std::string& text) {
  Json line = Json::parse(text, nullptr, false);
  return line.is_discarded() ? Json::parse(without_nonfinite_words(text), nullptr, false) : line;
}

// Adds the paths of all nulls, such as "ms.total" or "linear_momentum".
void find_nulls(const Json& value, const std::string& path, std::set<std::string>& found) {
  if (value.is_null()) {
    found.insert(path);
  } else if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      find_nulls(member, path.empty() ? key : path + "." + key, found);
  } else if (value.is_array()) {
    for (const Json& item : value) find_nulls(item, path, found);
  }
}

void report_nulls(RunStats& stats) {
  std::map<std::string, std::vector<int>> frames_of;
  for (const auto& [frame, line] : stats.lines) {
    std::set<std::string> paths;
    find_nulls(line, "", paths);
    for (const std::string& path : paths) frames_of[path].push_back(frame);
  }
  for (const auto& [path, frames] : frames_of)
    stats.problems.push_back("The statistics hold no finite number for " + path + " in frame" +
                             (frames.size() > 1 ? "s " : " ") + frame_list(frames) + ".");
}

}  // namespace

RunStats read_run_stats(const std::filesystem::path& path) {
  RunStats stats;
  std::string bytes;
  try {
    bytes = read_file(path);
  } catch (const InputError&) {
    stats.problems.push_back("The statistics " + path.filename().string() +
                             " are missing: there are no curves.");
    return stats;
  }
  std::istringstream text(bytes);
  std::vector<int> damaged;
  std::set<int> doubled;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Json json = parse_line(line);
    const bool usable =
        json.is_object() && json.contains("frame") && json["frame"].is_number_integer();
    if (usable) {
      const int frame = json["frame"];
      if (stats.lines.count(frame) > 0) doubled.insert(frame);
      stats.lines[frame] = std::move(json);
    } else {
      damaged.push_back(number);
    }
  }
  if (!damaged.empty())
    stats.problems.push_back("Line" + std::string(damaged.size() > 1 ? "s " : " ") +
                             frame_list(damaged) + " of " + path.filename().string() +
                             " cannot be read.");
  if (!doubled.empty())
    stats.problems.push_back("The statistics have several lines for frame" +
                             std::string(doubled.size() > 1 ? "s " : " ") +
                             frame_list({doubled.begin(), doubled.end()}) +
                             ", of which the last is shown: two runs may have written them.");
  if (stats.lines.empty() && damaged.empty())
    stats.problems.push_back("The statistics " + path.filename().string() +
                             " are empty: there are no curves.");
  report_nulls(stats);
  return stats;
}

}  // namespace dashpot
