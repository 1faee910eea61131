#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "solver/simulation/frame_report.h"
#include "solver/simulation/state.h"

namespace dashpot {

// All that a host needs to show a frame and to go on from it.
struct CachedFrame {
  State state;
  FrameReport report;
  std::vector<double> dissipation;  // Simulation::dissipation()

  std::size_t bytes() const;
};

// Frames of one simulation within a limit of memory. When it is full, frames are taken out where
// they lie closest together, so that wherever one jumps, a frame to go on from is near. The first
// frame and the two that were put in last always stay.
class FrameCache {
 public:
  using Entry = std::shared_ptr<const CachedFrame>;

  void set_limit(std::size_t bytes);
  void insert(int frame, Entry entry);
  void clear();

  Entry find(int frame) const;  // nullptr if it is not there
  // The last one at or before `frame`; nullptr if there is none.
  std::pair<int, Entry> latest(int frame) const;

  std::size_t bytes() const { return bytes_; }
  std::size_t count() const { return frames_.size(); }

 private:
  void evict();
  bool must_stay(int frame) const;

  std::map<int, Entry> frames_;
  std::size_t bytes_ = 0, limit_ = 0;
  std::vector<int> newest_;  // at most two, the last one last
};

}  // namespace dashpot
