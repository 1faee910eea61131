#pragma once

#include <CLI/CLI.hpp>

#include "standalone/playback/drawn_points.h"

namespace dashpot {

// --surface auto|tets|skin, for commands that show bodies.
void add_surface_option(CLI::App& command, SurfaceChoice& choice);

}  // namespace dashpot
