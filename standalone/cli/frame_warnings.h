#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solver/simulation/frame_report.h"
#include "solver/simulation/scene.h"
#include "standalone/files/frame_name.h"

namespace dashpot {

// Collects what the frame reports complain about, so that each complaint is made once.
class FrameWarnings {
 public:
  explicit FrameWarnings(const SolverSettings& settings) : settings_(settings) {}

  // The sentences that come up for the first time.
  std::vector<std::string> add(int frame, const FrameReport& report);

  // One line per complaint, with the frames that it happened in and how bad the worst one was.
  std::vector<std::string> summary() const;

 private:
  struct Complaint {
    std::vector<int> frames;
    Trouble worst;
  };
  SolverSettings settings_;
  std::map<Status, Complaint> complaints_;
};

}  // namespace dashpot
