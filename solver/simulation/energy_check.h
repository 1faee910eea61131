#pragma once

#include <optional>

#include "solver/simulation/state.h"
#include "solver/simulation/system.h"

namespace dashpot {

// A stage whose mismatch is this share of its motion has not been solved at all.
constexpr double kUnsolved = 0.1;

// Whether the step from one state to another made more energy than `allowed` of what there was, or
// is not finite. Errors of this kind grow from step to step, because the force that a step ends
// with, amplified by 1/h^2, begins the next one. measured: of `from` on entry, if it is known; of
// `to` on return, if that had to be known.
bool makes_energy(const System& system, const Vec3& gravity, double allowed, const State& from,
                  const State& to, std::optional<Measurement>& measured);

}  // namespace dashpot
