#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "standalone/files/frame_name.h"

namespace dashpot {

// Collects what the frame reports complain about, so that each complaint is made once.
class FrameWarnings {
 public:
  // The sentences that come up for the first time.
  std::vector<std::string> add(int frame, std::uint32_t status);

  // One line per complaint, with the frames that it happened in.
  std::vector<std::string> summary() const;

 private:
  std::map<std::uint32_t, std::vector<int>> frames_;  // by status bit
};

}  // namespace dashpot
