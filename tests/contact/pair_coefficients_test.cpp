#include "solver/contact/pair_coefficients.h"

#include <gtest/gtest.h>

namespace dashpot {
namespace {

TEST(PairCoefficients, DoNotDependOnWhoIsFirst) {
  EXPECT_EQ(pair_friction(0.2, 0.7, 0.5, 3), pair_friction(0.7, 0.2, 3, 0.5));
  EXPECT_EQ(pair_restitution(0.2, 0.7), pair_restitution(0.7, 0.2));
}

TEST(PairCoefficients, OfTwoAlikeAreTheirs) {
  for (const double value : {0.0, 0.1, 0.3, 0.5, 1.0}) {
    EXPECT_EQ(pair_friction(value, value), value);
    EXPECT_EQ(pair_restitution(value, value), value);
  }
}

TEST(PairCoefficients, AnythingSlidesOnIceAndABallBouncesOffAnything) {
  EXPECT_EQ(pair_friction(0, 1), 0);
  EXPECT_DOUBLE_EQ(pair_friction(0.2, 0.8), 0.4);
  EXPECT_EQ(pair_restitution(0.8, 0), 0.8);
}

TEST(PairCoefficients, PointsMultiplyTheirFriction) {
  EXPECT_DOUBLE_EQ(pair_friction(0.2, 0.8, 0.5, 3), 0.6);
  EXPECT_EQ(pair_friction(0.5, 0.5, 0, 1), 0);
}

}  // namespace
}  // namespace dashpot
