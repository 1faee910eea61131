#pragma once

#include "solver/parameters/parameters.h"
#include "standalone/cli/json.h"
#include "standalone/scene/scene_file.h"

namespace dashpot {

// Values of parameters by token, menus as words: what the run's record and `dashpot info` say.
Json body_parameters_json(const Body& body);  // {from, to} where tets differ
Json solver_parameters_json(const SceneFile& scene);
Json default_json(const Parameter& declaration);
Json colliders_json(const SceneFile& scene);

}  // namespace dashpot
