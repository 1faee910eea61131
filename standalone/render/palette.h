#pragma once

#include <Eigen/Core>
#include <string>

namespace dashpot {

// The colour of the index-th body, linear light; the palette repeats after eight.
Eigen::Vector3f body_colour(int index);
// Of everything that bodies collide with.
Eigen::Vector3f collider_colour();

// Viridis: equal steps of the value look like equal steps of colour, also in greyscale and to
// colour-blind eyes. Linear light; values outside 0..1 are clamped.
Eigen::Vector3f map_colour(float value);

// Brightness of linear light to the eye.
inline float luminance(const Eigen::Array3f& c) {
  return 0.2126F * c[0] + 0.7152F * c[1] + 0.0722F * c[2];
}

// One sRGB channel 0..1 to linear light and back.
float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);
// "#rrggbb", as pages write it.
std::string hex_colour(const Eigen::Vector3f& linear);

}  // namespace dashpot
