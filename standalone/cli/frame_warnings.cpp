#include "standalone/cli/frame_warnings.h"

#include "solver/simulation/frame_report.h"

namespace dashpot {

std::vector<std::string> FrameWarnings::add(int frame, std::uint32_t status) {
  std::vector<std::string> fresh;
  for (const Status s : {Status::kBudgetExhausted, Status::kInvertedElements}) {
    if (!(status & bit(s))) continue;
    std::vector<int>& frames = frames_[bit(s)];
    if (frames.empty()) fresh.push_back("frame " + std::to_string(frame) + ": " + remedy(s));
    frames.push_back(frame);
  }
  return fresh;
}

std::vector<std::string> FrameWarnings::summary() const {
  std::vector<std::string> lines;
  for (const auto& [status, frames] : frames_)
    lines.push_back((frames.size() == 1 ? "frame " : "frames ") + frame_list(frames) + ": " +
                    remedy(static_cast<Status>(status)));
  return lines;
}

}  // namespace dashpot
