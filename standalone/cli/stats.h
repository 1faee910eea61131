#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation.h"
#include "standalone/files/file_digest.h"

namespace dashpot {

// What the status bits are called in stats files: "budgetexhausted", "invertedelements", …
std::vector<std::string> status_names(std::uint32_t status);

// One line of a stats file: what the report says about a state of the simulation. Energies J,
// times s, `ms` in milliseconds; `io_ms` is what encoding and writing the frame took, beside the
// simulation of later frames and therefore not in `ms.total`. `file` is what was written.
nlohmann::ordered_json frame_stats(int frame, const Simulation& simulation, const State& state,
                                   const FrameReport& report, double io_ms, const FileDigest& file);

struct StatsLine {
  std::string text;
  FileDigest file;  // the frame that it tells of
};

// The whole lines of a stats file by frame, from `first` to `last`; of several for a frame the last
// one. None if there is no file; throws InputError if it cannot be read.
std::map<int, StatsLine> read_stats_lines(const std::string& path, int first, int last);

// A file of one JSON object per line. Each line is written at once, so that a killed run leaves
// whole lines. Locked while it is open.
class StatsFile {
 public:
  // Throws InputError if the file cannot be written, BusyError if another process writes it.
  static StatsFile create(const std::string& path);
  // With these lines, by frame, instead of all that it had.
  static StatsFile resume(const std::string& path, const std::map<int, StatsLine>& lines);

  StatsFile(StatsFile&& other) noexcept;
  StatsFile& operator=(StatsFile&&) = delete;
  ~StatsFile();

  void append(const nlohmann::ordered_json& line);

 private:
  StatsFile(std::string path, int file);

  std::string path_;
  int file_;  // descriptor, -1 if moved from
};

}  // namespace dashpot
