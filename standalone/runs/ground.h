#pragma once

#include <string>

namespace dashpot {

// A floor that the scene does not have. Planes that bodies collide with are always drawn.
struct GroundChoice {
  enum class Kind {
    kNone,
    kAuto,    // below the lowest point of all frames, if there is gravity and no plane
    kHeight,  // metres, against gravity
  };
  Kind kind = Kind::kNone;
  double height = 0;
};

// "auto", "none" or a height. Throws InputError.
GroundChoice read_ground(const std::string& text);

}  // namespace dashpot
