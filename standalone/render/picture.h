#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// What a still shows, as plain data. Positions are metres, rows of an image run top to bottom.

struct Surface {
  Points points;
  std::vector<Triangle> triangles;

  // Diffuse reflectance of the body, linear light, 0..1; see palette.h.
  Eigen::Vector3f colour = Eigen::Vector3f::Constant(0.6F);

  // Either empty or one value per point in 0..1; then the colour map replaces `colour`.
  std::vector<float> scalar;
};

// An infinite plane, visible from the side that its normal points to. Planes receive shadows and
// do not cast any, so that a wall between the sun and the scene does not darken all of it.
struct Ground {
  Vec3 point = Vec3::Zero();
  Vec3 normal = Vec3::UnitY();
};

struct Camera {
  Vec3 eye = Vec3(0, 0, 5);
  Vec3 target = Vec3::Zero();
  Vec3 up = Vec3::UnitY();  // also the up of the sky and the sun
  double fov_degrees = 30;  // vertical, full angle
};

struct Picture {
  std::vector<Surface> surfaces;
  std::vector<Ground> planes;
  Camera camera;
};

struct RenderSettings {
  int width = 960, height = 540;  // pixels
  int samples = 16;               // paths per pixel; the time grows in proportion
  int bounces = 3;                // diffuse reflections followed; 0 leaves shadows black
  bool denoise = true;            // worth two to three times the samples
};

// sRGB, three bytes per pixel.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

}  // namespace dashpot
