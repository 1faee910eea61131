#include "solver/integrator/stability.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/bodies.h"

namespace dashpot {
namespace {

constexpr double kPeriodsPerRadian = 1 / 6.283185307179586;

TEST(Stability, OneStageRulesKeepWhatTextbooksSay) {
  for (const double angle : {0.1, 0.7, 2.0, 9.0}) {
    const double periods = angle * kPeriodsPerRadian;
    EXPECT_NEAR(amplitude_kept(Integrator::kBackwardEuler, periods),
                1 / std::sqrt(1 + angle * angle), 1e-12);
    EXPECT_NEAR(amplitude_kept(Integrator::kMidpoint, periods), 1, 1e-12);
    EXPECT_NEAR(amplitude_kept(Integrator::kTrapezoidal, periods), 1, 1e-12);
  }
}

// From (1 + (sqrt(2) - 1) z) / (1 - a z)^2, a = 1 - 1/sqrt(2), at z = 2i.
TEST(Stability, TrBdf2HasItsRationalFunction) {
  const double a = 1 - std::sqrt(0.5), angle = 2;
  const double numerator = std::hypot(1, (std::sqrt(2.0) - 1) * angle);
  EXPECT_NEAR(amplitude_kept(Integrator::kTrBdf2, angle * kPeriodsPerRadian),
              numerator / (1 + a * a * angle * angle), 1e-12);
}

TEST(Stability, SlowVibrationsAreKeptAndNoneGrows) {
  for (const Integrator integrator : kAllIntegrators) {
    EXPECT_NEAR(amplitude_kept(integrator, 1e-4), 1, 1e-5) << name(integrator);
    for (double periods = 0.01; periods < 100; periods *= 1.5)
      EXPECT_LE(amplitude_kept(integrator, periods), 1 + 1e-12) << name(integrator);
  }
}

}  // namespace
}  // namespace dashpot
