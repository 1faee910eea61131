#include "solver/simulation/energy_check.h"

#include <algorithm>
#include <cmath>

namespace dashpot {

bool makes_energy(const System& system, const Vec3& gravity, const State& from, const State& to) {
  constexpr double kMargin = 0.05;  // of the energy that there is
  if (!to.x.allFinite() || !to.v.allFinite()) return true;
  const Measurement old = measure(system, from.x, from.v, gravity, -1);
  const Measurement now = measure(system, to.x, to.v, gravity, -1);
  const auto total = [](const Measurement& m) { return m.kinetic + m.elastic + m.gravitational; };
  const double work = to.work - from.work;
  const double made = total(now) - total(old) - std::max(0.0, work);
  // Written so that what is not a number counts as made.
  return !(made <= kMargin * (old.kinetic + old.elastic + std::abs(work)));
}

}  // namespace dashpot
