#pragma once

#include <Eigen/Core>
#include <vector>

namespace dashpot {

// Light reflected in one way, one entry per pixel: colour / weight is the noisy light received.
struct ReflectionLayer {
  std::vector<Eigen::Array3f> colour;
  std::vector<Eigen::Array3f> weight;  // zero where no surface reflects like this
  std::vector<float> variance;         // of the mean luminance of the received light
};

// The means over each pixel's samples, row by row from the top.
struct Layers {
  int width, height;
  float pixel_angle;  // radians

  ReflectionLayer diffuse, mirror;
  std::vector<Eigen::Array3f> direct;  // added unfiltered
  std::vector<Eigen::Vector3f> normal;
  std::vector<Eigen::Vector3f> position;  // from the eye

  Layers(int width, int height, float pixel_angle);
  std::size_t index(int x, int y) const;
};

// Smooths the light that surfaces receive (without albedo, so that patterns stay sharp) with a few
// à-trous passes. Neighbours count less across edges of normal, depth or light, the latter
// relative to the measured noise: with many samples the filter does next to nothing.
void denoise(Layers& layers);

}  // namespace dashpot
