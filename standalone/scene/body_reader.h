#pragma once

#include <toml++/toml.h>
#include <string>

#include "solver/simulation/scene.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// One [[body]] of the file, whose settings and frames are known; `source` receives what the solver
// does not need to know.
Body read_body(const toml::table& table, const std::string& name, const SceneFile& file,
               BodySource& source);

}  // namespace dashpot
