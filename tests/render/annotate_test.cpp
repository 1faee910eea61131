#include "standalone/render/annotate.h"

#include <gmock/gmock.h>

#include <utility>

#include "solver/base/error.h"
#include "standalone/render/montage.h"
#include "standalone/render/palette.h"
#include "standalone/render/stroke_font.h"
#include "tests/render/pixels.h"

namespace dashpot {
namespace {

Image blank(int width, int height) {
  return {width, height,
          std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width * height), 255)};
}

int dark_pixels(const Image& image) {
  int count = 0;
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) count += image.rgb[i] < 128;
  return count;
}

TEST(StrokeFont, EveryPrintableCharacterHasAShapeOfItsOwn) {
  std::map<std::string, char> seen;
  for (char c = '!'; c <= '~'; ++c) {
    const TextStrokes strokes = text_strokes(std::string(1, c));
    ASSERT_FALSE(strokes.strokes.empty()) << c;
    std::string shape;
    for (const Stroke& stroke : strokes.strokes)
      for (const auto& p : stroke) {
        EXPECT_GE(p.y(), -0.34F) << c;
        EXPECT_LE(p.y(), 1.001F) << c;
        shape += std::to_string(p.x()) + "," + std::to_string(p.y()) + " ";
      }
    // Lower-case l and the upright bar and I differ in height only; those are allowed to be near.
    const auto [other, fresh] = seen.emplace(shape, c);
    EXPECT_TRUE(fresh || (std::string("lI").find(c) != std::string::npos)) << c << other->second;
  }
}

TEST(StrokeFont, TextIsAsWideAsItsParts) {
  EXPECT_EQ(text_strokes("").width, 0);
  const float a = text_strokes("a").width, ab = text_strokes("ab").width;
  EXPECT_GT(ab, a + text_strokes("b").width);
  EXPECT_EQ(text_strokes("m\u00b3").strokes.size(), text_strokes("m").strokes.size() + 2);
}

TEST(Annotate, TextIsDrawnWhereItIsAskedFor) {
  Image image = blank(60, 30);
  draw_text(image, 10, 8, 12, "H");
  EXPECT_GT(dark_pixels(image), 20);
  EXPECT_LT(pixel(image, 10, 14)[0], 128);  // the left stem
  EXPECT_EQ(pixel(image, 30, 14)[0], 255);
  EXPECT_EQ(pixel(image, 10, 24)[0], 255);
}

TEST(Annotate, WhatIsOutsideIsCutOff) {
  Image image = blank(20, 20);
  draw_text(image, -30, -4, 12, "Hello");
  draw_text(image, 15, 15, 12, "Hello");
  draw_label(image, "much longer than this image is wide", 20);
  draw_colour_scale(image, "Stretch", 0, 0.25);
  EXPECT_EQ(image.rgb.size(), 1200U);
}

TEST(Annotate, TheScaleRunsThroughTheColourMap) {
  Image image = blank(400, 300);
  draw_colour_scale(image, "Speed [m/s]", 0, 2);
  std::vector<Rgb> row;
  for (int y = 200; y < 300 && row.empty(); ++y)
    for (int x = 0; x < 400; ++x) {
      const Rgb colour = pixel(image, x, y);
      if (colour[2] > colour[1] + 40 && colour[0] > 50 && colour[0] < 90 && row.empty()) {
        for (int right = x; right < 400 && pixel(image, right, y) != Rgb{255, 255, 255}; ++right)
          row.push_back(pixel(image, right, y));
      }
    }
  ASSERT_GT(row.size(), 50U);
  EXPECT_GT(row.back()[0], 230);  // yellow
  EXPECT_GT(row.back()[1], 210);
  EXPECT_LT(row.back()[2], 60);
}

TEST(Annotate, ShortNumbers) {
  EXPECT_EQ(short_number(0.25), "0.25");
  EXPECT_EQ(short_number(12345), "1.23e4");
  EXPECT_EQ(short_number(-1.5e-7), "-1.5e-7");
  EXPECT_EQ(short_number(1e100), "1e100");
  EXPECT_EQ(short_number(0), "0");
}

// Columns of an image with a dark pixel in these rows, as stretches [first, last].
std::vector<std::pair<int, int>> ink(const Image& image, int top, int bottom) {
  std::vector<std::pair<int, int>> stretches;
  for (int x = 0; x < image.width; ++x) {
    bool dark = false;
    for (int y = top; y < bottom; ++y) dark = dark || pixel(image, x, y)[0] < 128;
    if (!dark) continue;
    if (!stretches.empty() && stretches.back().second >= x - 1)
      stretches.back().second = x;
    else
      stretches.emplace_back(x, x);
  }
  return stretches;
}

int widest_gaps_of(const std::vector<std::pair<int, int>>& stretches, int at_least) {
  int count = 0;
  for (std::size_t i = 1; i < stretches.size(); ++i)
    count += stretches[i].first - stretches[i - 1].second > at_least;
  return count;
}

TEST(Annotate, NumbersOfTheScaleDoNotTouch) {
  for (const auto& [width, gaps] : {std::pair(400, 2), std::pair(120, 1)}) {
    Image image = blank(width, 225);
    draw_colour_scale(image, "Stress [Pa]", 0, 1.456e5);
    // The numbers are the lowest line of the plate, 7 pixels high.
    const auto numbers = ink(image, 225 - 7 - 6 - 8, 225 - 7 - 4);
    ASSERT_FALSE(numbers.empty());
    EXPECT_EQ(widest_gaps_of(numbers, 8), gaps) << width;  // with or without the middle one
    EXPECT_LT(numbers.back().second, width);
  }
}

TEST(Annotate, AScaleThatDoesNotStartAtZeroSaysSo) {
  Image from_zero = blank(400, 225), from_low = blank(400, 225);
  draw_colour_scale(from_zero, "Stretch", 0, 0.4);
  draw_colour_scale(from_low, "Stretch", 0.1, 0.4);
  EXPECT_NE(from_zero.rgb, from_low.rgb);
}

TEST(Annotate, LongLabelsStayInTheirRoom) {
  Image image = blank(300, 200);
  draw_label(image, "dampingtime 0.01, youngsmodulus 100000 and much more than fits into two lines",
             150);
  const auto columns = ink(image, 0, 200);
  ASSERT_FALSE(columns.empty());
  EXPECT_LT(columns.back().second, 150);
  EXPECT_TRUE(ink(image, 30, 200).empty());  // two lines
  EXPECT_FALSE(ink(image, 18, 30).empty());
}

TEST(Annotate, TheCornerLeavesTheRestToALabel) {
  Image image = blank(300, 200);
  const float room = draw_corner(image, "frame 12");
  EXPECT_LT(room, 290);
  EXPECT_GE(ink(image, 0, 200).front().first, static_cast<int>(room) - 1);
  EXPECT_EQ(draw_corner(image, ""), 300);
}

TEST(Montage, PutsCellsIntoRows) {
  std::vector<Image> cells;
  for (int c = 0; c < 3; ++c) {
    cells.push_back(blank(4, 3));
    std::fill(cells.back().rgb.begin(), cells.back().rgb.end(), static_cast<std::uint8_t>(10 * c));
  }
  const Image whole = montage(cells, 2, 2, true);
  EXPECT_EQ(whole.width, 2 * 4 + 3 * 2);
  EXPECT_EQ(whole.height, 2 * 3 + 3 * 2);
  EXPECT_EQ(pixel(whole, 2, 2)[0], 0);
  EXPECT_EQ(pixel(whole, 8, 2)[0], 10);
  EXPECT_EQ(pixel(whole, 2, 7)[0], 20);
  EXPECT_EQ(pixel(whole, 8, 7)[0], 255);  // nothing there
  EXPECT_EQ(pixel(whole, 6, 2)[0], 255);  // the gap
  EXPECT_EQ(montage(cells, 3, 0, false).width, 12);
}

TEST(Montage, RefusesWhatNoPictureCanHold) {
  const std::vector<Image> cells(3, blank(16000, 1));
  EXPECT_THROW(montage(cells, 3, 0, false), InputError);
}

}  // namespace
}  // namespace dashpot
