#include "solver/simulation/predictor.h"

#include "solver/simulation/energies.h"

namespace dashpot {
namespace {

// Damping that dies down within the step makes the start of the motion a bad guide to its end. A
// guess that halves or doubles stretches is replaced by a more careful one.
bool is_wild(const SimulationModel& model, const Points& guess, const StretchRange& now) {
  const StretchRange then = stretch_range(model, guess);
  return then.min < 0.5 * now.min || then.max > 2 * now.max;
}

}  // namespace

Points Predictor::operator()(const SimulationModel& model, const Motion& before, double tau) const {
  Points x = before.x + tau * before.v + (0.5 * tau * tau) * before.a;
  if (is_careful && has_colliders) return before.x;  // on the side of every collider where it is
  if (!is_careful && !is_damped) return x;
  const StretchRange now = stretch_range(model, before.x);
  if (is_wild(model, x, now)) {
    x = before.x + tau * before.v;
    if (is_wild(model, x, now)) return before.x;
  }
  return x;
}

}  // namespace dashpot
