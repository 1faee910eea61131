#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dashpot {

// A run to be shown, and what it is called there; "" for the name of its folder.
struct ShownRun {
  std::string directory;
  std::string name;
};

// Keys of the scene and the values that a wedge gave them, for one run.
using RunSettings = std::vector<std::pair<std::string, std::string>>;

// The places of a grid's runs by ascending values; of several keys the first counts most. Values
// that are no numbers keep the order in which they come up.
std::vector<std::size_t> order_of_values(const std::vector<RunSettings>& runs);

struct GridNames {
  std::vector<std::string> keys;  // those that vary
  std::vector<std::string> runs;  // "dampingtime 0.1, substeps 4"
};
// Only what varies is named, by as much of a key as tells it from the others.
GridNames grid_names(const std::vector<RunSettings>& runs);

// Paths of runs made short: their folders' names, without the words with which all of them begin
// or end. A number keeps the word before it.
std::vector<std::string> short_names(const std::vector<std::string>& paths);

// "soft, stiff, damped", or "soft, stiff and 16 others" if that gets too long for a title.
std::string joined_names(const std::vector<std::string>& names);

}  // namespace dashpot
