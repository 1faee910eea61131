#pragma once

#include <Eigen/Core>

namespace dashpot {

// The colour of the index-th body, linear light; the palette repeats after eight.
Eigen::Vector3f body_colour(int index);

// Viridis: equal steps of the value look like equal steps of colour, also in greyscale and to
// colour-blind eyes. Linear light; values outside 0..1 are clamped.
Eigen::Vector3f map_colour(float value);

// One sRGB channel 0..1 to linear light and back.
float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);

}  // namespace dashpot
