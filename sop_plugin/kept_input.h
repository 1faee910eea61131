#pragma once

#include <GU/GU_Detail.h>

#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace dashpot {

// What a node keeps of an input from cook to cook, as long as the input says that it was not
// edited.

// The last two frames: a step needs those, and grids of colliders are large.
template <class Value>
class KeptFrames {
 public:
  // Forgets what is there if the input's version is another one.
  void renew(std::uint64_t version) {
    if (version != version_) frames_.clear();
    version_ = version;
  }
  // nullptr if it is not there. Of an input that is still, any frame will do.
  const Value* find(int frame, bool still) const {
    const auto found = still ? frames_.begin() : frames_.find(frame);
    return found == frames_.end() ? nullptr : &found->second;
  }
  const Value& keep(int frame, Value value) {
    const auto made = frames_.insert_or_assign(frame, std::move(value)).first;
    while (frames_.size() > 2) {
      const bool first_is_farther =
          frame - frames_.begin()->first > std::prev(frames_.end())->first - frame;
      frames_.erase(first_is_farther ? frames_.begin() : std::prev(frames_.end()));
    }
    return made->second;
  }
  void forget() { frames_.clear(); }

 private:
  std::uint64_t version_ = 0;
  std::map<int, Value> frames_;
};

// A copy that shares its data with the input until either is changed.
struct KeptGeometry {
  void renew(std::uint64_t new_version) {
    known = known && version == new_version;
    version = new_version;
  }
  GU_Detail geometry;
  bool known = false;
  std::uint64_t version = 0;
};

}  // namespace dashpot
