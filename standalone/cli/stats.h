#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"
#include "solver/simulation/simulation.h"

namespace dashpot {

// What the status bits are called in stats files: "budgetexhausted", "invertedelements", …
std::vector<std::string> status_names(std::uint32_t status);

// One line of a stats file: what the report says about a state of the simulation. Energies J,
// times s, `ms` in milliseconds; `io_ms` is what encoding and writing the frame took, beside the
// simulation of later frames and therefore not in `ms.total`.
nlohmann::ordered_json frame_stats(int frame, const Simulation& simulation, const State& state,
                                   const FrameReport& report, double io_ms);

// A file of one JSON object per line. Each line is written at once, so that a killed run leaves
// whole lines.
class StatsFile {
 public:
  // Throws InputError if the file cannot be written.
  static StatsFile create(const std::string& path);
  // Keeps the whole lines of frames up to `last_frame`, drops the others.
  static StatsFile resume(const std::string& path, int last_frame);

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
