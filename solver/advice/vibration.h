#pragma once

#include <optional>

#include "solver/simulation/scene.h"

namespace dashpot {

// How a body will swing about its rest shape.
struct Vibration {
  double frequency = 0;   // Hz
  double decay_rate = 0;  // 1/s, by the body's own damping; infinite if that is not linear
};

// The vibration that one will see, if it is faster than `enough` (Hz): that which weight, initial
// shape or initial velocity starts, whichever moves the body farthest, if that is by 0.2 % of its
// size; by 2 % where something else may start vibrations, too: moving pins, colliders, or anything
// that happens to a body without pins. In these cases it is the slowest one otherwise. Motions as a
// rigid whole do not count. Nothing
// for bodies too large to look at in the time of a few iterations. The same on any number of
// threads.
std::optional<Vibration> vibration_faster_than(double enough, const Body& body,
                                               const SolverSettings& settings, bool may_be_hit);

}  // namespace dashpot
