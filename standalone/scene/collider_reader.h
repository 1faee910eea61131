#pragma once

#include <toml++/toml.h>

#include "standalone/scene/scene_file.h"

namespace dashpot {

// One [[collider]]. file: what was read so far. Throws InputError.
SceneCollider read_collider(const toml::table& table, const std::string& name,
                            const SceneFile& file, ColliderSource& source);

}  // namespace dashpot
