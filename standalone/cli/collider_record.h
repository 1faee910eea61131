#pragma once

#include "standalone/cli/json.h"
#include "standalone/render/picture.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// What run.json says of a collider, so that a picture can show it.
Json collider_json(const SceneCollider& collider, const ColliderSource& source);
ColliderSource collider_from_json(const Json& json);

// The collider at a time, s.
void add_collider(const ColliderSource& source, double time, Picture& picture);

}  // namespace dashpot
