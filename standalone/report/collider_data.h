#pragma once

#include "standalone/report/data_writer.h"
#include "standalone/report/run_frames.h"

namespace dashpot {

// What a run's bodies collide with, for the page: planes, surfaces that are stored once, and a pose
// for every frame of what moves. What turns out to be missing becomes a problem of the run.
nlohmann::ordered_json colliders_json(DataWriter& data, RunFrames& run);

}  // namespace dashpot
