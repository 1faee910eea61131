#pragma once

#include "solver/simulation/scene.h"
#include "standalone/scene/body_source.h"
#include "standalone/scene/initial_state.h"
#include "standalone/scene/scene_file.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {

// Lets the pins that have no motion of their own follow animated targets, linearly from frame to
// frame: those of the key `targets`, a sequence of geometry files with the body's points (targetP,
// else P), in the place of the body; else the point attribute targetP of the geometry, which they
// reach at the second frame. `source` is told which files were read. Throws InputError.
void add_target_motion(const TableReader& reader, const SceneFile& file, BodySource& source,
                       const Placement& placement, Body& body);

}  // namespace dashpot
