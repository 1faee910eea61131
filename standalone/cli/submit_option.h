#pragma once

#include <CLI/CLI.hpp>

#include "standalone/farm/submit.h"

namespace dashpot {

// --submit MANAGER and what goes with it, for commands whose work a farm can do. Returns --submit.
CLI::Option* add_submit_options(CLI::App& command, SubmitOptions& options);

}  // namespace dashpot
