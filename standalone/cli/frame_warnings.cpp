#include "standalone/cli/frame_warnings.h"

namespace dashpot {

std::vector<std::string> FrameWarnings::add(int frame, const FrameReport& report) {
  std::vector<std::string> fresh;
  for (const Status status : kComplaints) {
    if (!report.has(status)) continue;
    Complaint& complaint = complaints_[status];
    if (complaint.frames.empty())
      fresh.push_back("frame " + std::to_string(frame) + ": " + remedy(status, report, settings_));
    complaint.frames.push_back(frame);
    complaint.worst.add(report);
  }
  return fresh;
}

std::vector<std::string> FrameWarnings::summary() const {
  std::vector<std::string> lines;
  for (const auto& [status, complaint] : complaints_) {
    const bool is_one = complaint.frames.size() == 1;
    lines.push_back((is_one ? "frame " : "frames ") + frame_list(complaint.frames) +
                    (is_one ? ": " : ", at worst: ") + remedy(status, complaint.worst, settings_));
  }
  return lines;
}

}  // namespace dashpot
