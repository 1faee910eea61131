#include "standalone/render/contact_overlay.h"

#include <gmock/gmock.h>

#include "tests/render/pixels.h"

namespace dashpot {
namespace {

constexpr int kWidth = 161, kHeight = 101;  // the middle is that of a pixel

Image dark() {
  return {kWidth, kHeight, std::vector<std::uint8_t>(3 * kWidth * kHeight, 40)};
}

// Five metres in front of the origin: the image shows 2 · 5 tan(15°) m of height there.
Camera camera() {
  return {Vec3(0, 0, 5), Vec3::Zero(), Vec3::UnitY(), 30};
}

bool is_near(const Rgb& a, const Rgb& b) {
  int worst = 0;
  for (std::size_t k = 0; k < 3; ++k) worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst < 12;
}

TEST(ContactOverlay, ArrowsGoFromWhereTheContactIsToWhereTheForcePoints) {
  const double length = longest_arrow(camera());
  EXPECT_NEAR(length / (2 * 5 * std::tan(EIGEN_PI / 12)), 0.16, 1e-12);
  Image image = dark();
  draw_contacts(image, camera(), {{Vec3::Zero(), Vec3(0, length, 0), false}});
  const Rgb blue = bytes_of(slip_colour(false)), background = {40, 40, 40};
  EXPECT_TRUE(is_near(pixel(image, 80, 50), blue)) << "the dot";
  EXPECT_TRUE(is_near(pixel(image, 80, 42), blue));
  EXPECT_EQ(pixel(image, 80, 30), background) << "0.16 of the height above";
  EXPECT_EQ(pixel(image, 80, 60), background);
  EXPECT_EQ(pixel(image, 95, 50), background);
}

TEST(ContactOverlay, WhatSlipsHasAnotherColour) {
  Image image = dark();
  draw_contacts(image, camera(), {{Vec3::Zero(), Vec3::Zero(), true}});
  EXPECT_TRUE(is_near(pixel(image, 80, 50), bytes_of(slip_colour(true))));
  EXPECT_GT(slip_colour(true).sum(), 1.5F * slip_colour(false).sum()) << "also in greyscale";
}

TEST(ContactOverlay, NearContactsAreInFrontOfFarOnes) {
  const ContactArrow far{Vec3(0, 0, -1), Vec3::Zero(), false},
      near{Vec3::Zero(), Vec3::Zero(), true};
  for (const auto& order : {std::vector{far, near}, std::vector{near, far}}) {
    Image image = dark();
    draw_contacts(image, camera(), order);
    EXPECT_TRUE(is_near(pixel(image, 80, 50), bytes_of(slip_colour(true))));
  }
}

TEST(ContactOverlay, WhatIsBehindTheEyeOrFarBesideIsLeftOut) {
  Image image = dark();
  draw_contacts(image, camera(),
                {{Vec3(0, 0, 6), Vec3(0, 1, 0), false},
                 {Vec3(1e30, 0, 0), Vec3(0, 1, 0), false},
                 {Vec3(0, 0, 5), Vec3(0, 1, 0), true}});
  EXPECT_EQ(image.rgb, dark().rgb);
}

TEST(ContactOverlay, TheKeyShowsBothColours) {
  Image image = dark();
  draw_contact_key(image, 12.5);
  for (const bool slips : {false, true}) {
    int found = 0;
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x)
        found += is_near(pixel(image, x, y), bytes_of(slip_colour(slips)));
    EXPECT_GT(found, 2) << slips;
  }
}

}  // namespace
}  // namespace dashpot
