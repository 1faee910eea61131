#include "solver/simulation/energy_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dashpot {

bool makes_energy(const System& system, const Vec3& gravity, double allowed, const State& from,
                  const State& to, std::optional<Measurement>& measured) {
  const std::optional<Measurement> known = std::exchange(measured, std::nullopt);
  if (!to.x.allFinite() || !to.v.allFinite()) return true;
  if (std::isinf(allowed)) return false;
  const Measurement old = known ? *known : measure(system, from.x, from.v, gravity, -1);
  measured = measure(system, to.x, to.v, gravity, -1);
  const Measurement& now = *measured;
  const auto total = [](const Measurement& m) { return m.kinetic + m.elastic + m.gravitational; };
  const double work = to.work - from.work;
  const double made = total(now) - total(old) - std::max(0.0, work);
  const double exchanged =
      old.kinetic + old.elastic + std::abs(work) + std::abs(now.gravitational - old.gravitational);
  // What strains of 1e-5 store is noise of the iterations, and grows no further by itself.
  constexpr double kNoise = 1e-10;
  double stiffness = 0;
  for (const double weight : system.terms.squared_weight) stiffness += weight;
  const double noise = kNoise * (stiffness + std::abs(total(old)) + std::abs(now.gravitational));
  // Written so that what is not a number counts as made.
  return !(made <= allowed * exchanged + noise);
}

}  // namespace dashpot
