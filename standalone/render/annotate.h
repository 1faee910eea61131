#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <vector>

#include "standalone/render/picture.h"

namespace dashpot {

// Text and legends on finished images. Sizes are pixels; what lies outside of the image is cut off.

using Rgb = std::array<std::uint8_t, 3>;
constexpr Rgb kInk = {32, 36, 42};
constexpr Rgb kPaper = {255, 255, 255};

void fill_rectangle(Image& image, int x, int y, int width, int height, const Rgb& colour,
                    float opacity = 1);

// The upper left corner of the capitals is at (x, y); their height is `size`.
void draw_text(Image& image, float x, float y, float size, const std::string& text,
               const Rgb& colour = kInk);
float text_width(float size, const std::string& text);

// Lines with round ends. Where they cross they do not darken each other.
using Line = std::array<Eigen::Vector2f, 2>;
void draw_lines(Image& image, const std::vector<Line>& lines, float width, const Rgb& colour);

// The bytes of a colour in linear light.
Rgb bytes_of(const Eigen::Vector3f& linear);

// The height of text that suits an image.
float text_size(const Image& image);

// Upper left, on a light plate that is at most `room` wide: in lines, and cut if two of them are
// too few.
void draw_label(Image& image, const std::string& text, float room);
// Of the plate, with what is above it.
float label_height(const Image& image, const std::string& text, float room);

// Upper right; returns the width that it leaves for a label.
float draw_corner(Image& image, const std::string& text);

// What the colours mean, lower left: `title` over the colour map from `low` to `high`.
void draw_colour_scale(Image& image, const std::string& title, double low, double high);

// "0.25", "3.2e-5": a number for people.
std::string short_number(double value);

}  // namespace dashpot
