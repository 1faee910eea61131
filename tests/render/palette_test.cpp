#include "standalone/render/palette.h"

#include <gtest/gtest.h>

namespace dashpot {
namespace {

TEST(Palette, BodyColoursAreDistinctReflectancesAndRepeat) {
  for (int i = 0; i < 8; ++i) {
    EXPECT_GT(body_colour(i).minCoeff(), 0);
    EXPECT_LT(body_colour(i).maxCoeff(), 1);
    EXPECT_EQ(body_colour(i), body_colour(i + 8));
    for (int j = 0; j < i; ++j) EXPECT_GT((body_colour(i) - body_colour(j)).norm(), 0.15F);
  }
  EXPECT_EQ(body_colour(-1), body_colour(7));
}

TEST(Palette, TheColourMapBrightensSteadilyAndClamps) {
  for (int i = 0; i < 100; ++i)
    EXPECT_LT(luminance(map_colour(0.01F * static_cast<float>(i)).array()),
              luminance(map_colour(0.01F * static_cast<float>(i + 1)).array()));
  EXPECT_EQ(map_colour(-3), map_colour(0));
  EXPECT_EQ(map_colour(7), map_colour(1));
}

TEST(Palette, SrgbAndBackIsTheIdentity) {
  for (float c : {0.0F, 0.01F, 0.04F, 0.2F, 0.5F, 1.0F})
    EXPECT_NEAR(linear_to_srgb(srgb_to_linear(c)), c, 1e-6F);
}

}  // namespace
}  // namespace dashpot
