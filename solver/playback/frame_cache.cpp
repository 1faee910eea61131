#include "solver/playback/frame_cache.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace dashpot {
namespace {

constexpr std::size_t kNewest = 2;  // a frame between two whole ones needs both

std::size_t bytes_of(const Points& points) {
  return static_cast<std::size_t>(points.size()) * sizeof(double);
}

}  // namespace

std::size_t CachedFrame::bytes() const {
  return sizeof(CachedFrame) + bytes_of(state.x) + bytes_of(state.v) + bytes_of(state.a) +
         bytes_of(state.x_previous) + bytes_of(state.v_previous) +
         (state.dual.size() + dissipation.size()) * sizeof(double) +
         state.contact.touching.size() * sizeof(ContactMemory::Touching) +
         report.bodies.size() * sizeof(Measurement) +
         report.contact.marks.size() * sizeof(ContactMark);
}

void FrameCache::set_limit(std::size_t bytes) {
  limit_ = bytes;
  evict();
}

void FrameCache::insert(int frame, Entry entry) {
  const auto [place, is_new] = frames_.emplace(frame, entry);
  if (!is_new) {
    bytes_ -= place->second->bytes();
    place->second = std::move(entry);
  }
  bytes_ += place->second->bytes();
  newest_.erase(std::remove(newest_.begin(), newest_.end(), frame), newest_.end());
  newest_.push_back(frame);
  if (newest_.size() > kNewest) newest_.erase(newest_.begin());
  evict();
}

void FrameCache::clear() {
  frames_.clear();
  newest_.clear();
  bytes_ = 0;
}

FrameCache::Entry FrameCache::find(int frame) const {
  const auto found = frames_.find(frame);
  return found == frames_.end() ? nullptr : found->second;
}

std::pair<int, FrameCache::Entry> FrameCache::latest(int frame) const {
  const auto after = frames_.upper_bound(frame);
  if (after == frames_.begin()) return {0, nullptr};
  return *std::prev(after);
}

bool FrameCache::must_stay(int frame) const {
  return frame == frames_.begin()->first ||
         std::find(newest_.begin(), newest_.end(), frame) != newest_.end();
}

void FrameCache::evict() {
  while (bytes_ > limit_) {
    auto victim = frames_.end();
    int smallest_gap = std::numeric_limits<int>::max();
    for (auto it = frames_.begin(); it != frames_.end(); ++it) {
      if (must_stay(it->first)) continue;
      const auto next = std::next(it);
      const int before = it->first - std::prev(it)->first;
      const int gap = next == frames_.end() ? 2 * before : before + next->first - it->first;
      if (gap < smallest_gap) {
        smallest_gap = gap;
        victim = it;
      }
    }
    if (victim == frames_.end()) return;
    bytes_ -= victim->second->bytes();
    frames_.erase(victim);
  }
}

}  // namespace dashpot
