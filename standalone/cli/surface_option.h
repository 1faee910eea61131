#pragma once

#include <CLI/CLI.hpp>

#include "standalone/runs/drawn_points.h"
#include "standalone/runs/ground.h"

namespace dashpot {

// --surface auto|tets|skin, for commands that show bodies.
void add_surface_option(CLI::App& command, SurfaceChoice& choice);

// --ground auto|none|height, likewise.
void add_ground_option(CLI::App& command, GroundChoice& choice);

}  // namespace dashpot
