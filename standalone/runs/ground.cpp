#include "standalone/runs/ground.h"

#include <cmath>
#include <cstdio>

#include "solver/base/error.h"

namespace dashpot {

GroundChoice read_ground(const std::string& text) {
  if (text == "auto") return {GroundChoice::Kind::kAuto, 0};
  if (text == "none") return {GroundChoice::Kind::kNone, 0};
  double height = 0;
  int end = 0;
  if (std::sscanf(text.c_str(), "%lf%n", &height, &end) != 1 ||
      static_cast<std::size_t>(end) != text.size() || !std::isfinite(height))
    throw InputError("--ground " + text + " is neither auto, none nor a height in metres.");
  return {GroundChoice::Kind::kHeight, height};
}

}  // namespace dashpot
