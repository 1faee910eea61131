#pragma once

#include <toml++/toml.h>
#include <filesystem>
#include <string>

#include "solver/simulation/scene.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// One [[body]]; `source` receives what the solver does not need to know.
Body read_body(const toml::table& table, const std::string& name,
               const std::filesystem::path& folder, BodySource& source);

}  // namespace dashpot
