#pragma once

#include <string>
#include <vector>

#include "solver/simulation/scene.h"

namespace dashpot {

// What will look wrong although it can be simulated: sentences that say how wrong it is and what to
// set. Every host shows the same ones, before the first frame. frame_seconds: of the timeline.
//
//   - a body swings slowly enough for it to be seen, at most once in two frames, but the integrator
//     takes more than half of the amplitude away within a second, and more than the body's own
//     damping does; suggested is what keeps 95 %
//   - points start inside a collider
//   - a part that bends is fewer than three tets thick
//   - the body's own weight would crush it, or it falls many times its size in a frame: its units
//     are hardly metres
//   - poissonratio is so near 0.5 that iterations do not get there
std::vector<std::string> scene_advice(const Scene& scene, double frame_seconds);

}  // namespace dashpot
