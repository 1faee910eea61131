#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace dashpot {

// What a stats file says, whatever state it was left in.
struct RunStats {
  // By frame; of several lines for a frame the last. Numbers that are none are null.
  std::map<int, nlohmann::ordered_json> lines;
  std::vector<std::string> problems;  // sentences
};

// Never throws for what is in the file, or if there is none.
RunStats read_run_stats(const std::filesystem::path& path);

}  // namespace dashpot
