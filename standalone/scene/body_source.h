#pragma once

#include <string>

#include "solver/host/body_points.h"
#include "standalone/files/input_files.h"
#include "standalone/geometry/geometry.h"

namespace dashpot {

// Where a body came from, and how its frames go back there.
struct BodySource : BodyPoints {
  std::string description;  // path of the file, or the type of the built-in shape
  bool is_file = false;     // Houdini's own file: frames keep all that it has
  Geometry geometry;        // as it came
  InputFiles inputs;        // what was read for it
};

}  // namespace dashpot
