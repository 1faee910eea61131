#pragma once

#include <nlohmann/json.hpp>

#include "solver/simulation/scene.h"
#include "standalone/formats/collider_source.h"

namespace dashpot {

// What run.json says of a collider, so that pictures and reports can show it.
nlohmann::ordered_json collider_json(const SceneCollider& collider, const ColliderSource& source);
// Throws InputError if it is no such thing.
ColliderSource collider_from_json(const nlohmann::ordered_json& json);

}  // namespace dashpot
