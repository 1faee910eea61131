#pragma once

#include <string>

namespace dashpot {

// The floor under what is shown.
struct GroundChoice {
  enum class Kind {
    kAuto,  // below the lowest point of all frames, if there is gravity
    kNone,
    kHeight,  // metres, against gravity
  };
  Kind kind = Kind::kAuto;
  double height = 0;
};

// "auto", "none" or a height. Throws InputError.
GroundChoice read_ground(const std::string& text);

}  // namespace dashpot
