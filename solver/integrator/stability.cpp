#include "solver/integrator/stability.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace dashpot {

double amplitude_kept(Integrator integrator, double periods_per_step) {
  using Complex = std::complex<double>;
  constexpr double kTwoPi = 6.283185307179586;
  const IntegratorRule rule = integrator_rule(integrator);
  const Complex z(0, kTwoPi * periods_per_step);
  // For y' = z y / dt: the end of the stage in parts of y^n, and of y^{n-1}.
  Complex now = 1, before = 0;
  for (int s = 0; s < rule.stage_count; ++s) {
    const StageRule& stage = rule.stages[static_cast<std::size_t>(s)];
    const Complex solve = 1.0 / (1.0 - stage.alpha * z);
    now = solve * (stage.step + stage.stage * now + stage.rate * z);
    before = solve * (stage.stage * before + stage.previous);
  }
  now = 1.0 + rule.extrapolation * (now - 1.0);
  before *= rule.extrapolation;
  // y^{n+1} = now y^n + before y^{n-1}
  const Complex root = std::sqrt(now * now + 4.0 * before);
  return 0.5 * std::max(std::abs(now + root), std::abs(now - root));
}

}  // namespace dashpot
