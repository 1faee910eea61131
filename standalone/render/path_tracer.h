#pragma once

#include "standalone/render/palette.h"
#include "standalone/render/ray_scene.h"
#include "standalone/render/sampling.h"
#include "standalone/render/studio_light.h"

namespace dashpot {

// Light that a surface reflects in one way: colour = weight * received. What it receives is noisy,
// but varies slowly over the surface.
struct ReflectedLight {
  Eigen::Array3f colour = Eigen::Array3f::Zero();
  Eigen::Array3f weight = Eigen::Array3f::Zero();
  float received = 0;  // luminance

  ReflectedLight() = default;
  ReflectedLight(const Eigen::Array3f& reflectance, const Eigen::Array3f& light)
      : colour(reflectance * light), weight(reflectance), received(luminance(light)) {}
};

// The light of one path, in the parts that the denoiser treats differently. The colour of a pixel
// is the mean of their sum.
struct PathSample {
  ReflectedLight diffuse;  // by the first surface's albedo
  ReflectedLight mirror;   // by its coat

  // Background, horizon haze and the sun's highlights: sharp and nearly free of noise.
  Eigen::Array3f direct = Eigen::Array3f::Zero();

  Eigen::Vector3f normal = Eigen::Vector3f::Zero();
  Eigen::Vector3f position = Eigen::Vector3f::Zero();  // from the eye, unit coordinates
};

class PathTracer {
 public:
  // `haze_distance`: how far along a ray the ground begins to melt into the horizon.
  PathTracer(const RayScene& scene, const StudioLight& light, int bounces, float haze_distance)
      : scene_(scene), light_(light), bounces_(bounces), haze_distance_(haze_distance) {}

  PathSample trace(const Ray& ray, PixelSampler& sampler) const;

 private:
  // Light that arrives at a hit from the sun, and from everything else by diffuse reflection: as
  // much as a white diffuse surface would return.
  Eigen::Array3f sunlight(const Hit& hit, const Eigen::Vector3f& to_sun) const;
  Eigen::Array3f bounced(const Hit& hit, int bounces, PixelSampler& sampler) const;

  // What the coat mirrors to a viewer who looks along `direction`.
  Eigen::Array3f mirrored(const Hit& hit, const Eigen::Vector3f& direction,
                          PixelSampler& sampler) const;

  // The light that a hit receives from one direction.
  Eigen::Array3f seen(const Hit& from, Eigen::Vector3f direction, float spread, int bounces,
                      PixelSampler& sampler) const;
  float haze(const Hit& hit) const;

  const RayScene& scene_;
  const StudioLight& light_;
  int bounces_;
  float haze_distance_;
};

}  // namespace dashpot
