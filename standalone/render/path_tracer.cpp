#include "standalone/render/path_tracer.h"

#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

constexpr float kNormalReflectance = 0.04F;  // glass-like coat seen head on
constexpr float kHighlightWidth = 0.16F;     // GGX alpha of the sun's highlight
constexpr float kReflectionBlur = 0.10F;     // spread of mirrored rays
constexpr float kIndirectSpread = 0.5F;      // bounced rays see the average of fine patterns

float schlick(float cosine) {
  const float c = 1 - std::clamp(cosine, 0.0F, 1.0F);
  return kNormalReflectance + (1 - kNormalReflectance) * c * c * c * c * c;
}

// The sun in the coat: GGX lobe with Kelemen's visibility, relative to a white diffuse surface.
float highlight(const Eigen::Vector3f& n, const Eigen::Vector3f& to_eye,
                const Eigen::Vector3f& to_sun) {
  const Eigen::Vector3f half = (to_eye + to_sun).normalized();
  const float cosine = std::max(n.dot(half), 0.0F), a2 = kHighlightWidth * kHighlightWidth;
  const float d = cosine * cosine * (a2 - 1) + 1;
  const float toward = std::max(to_sun.dot(half), 0.1F);
  return a2 / (d * d) * schlick(toward) / (4 * toward * toward);
}

}  // namespace

PathSample PathTracer::trace(const Ray& ray, PixelSampler& sampler) const {
  PathSample sample;
  Hit hit;
  if (!scene_.intersect(ray, hit)) {
    sample.direct = light_.dome(ray.direction);
    return sample;
  }
  sample.normal = hit.normal;
  sample.position = hit.distance * ray.direction;

  // Haze and coat are mixed in by weight, not by chance: chance would be noise to filter.
  const float covered = hit.on_plane ? haze(hit)
                        : hit.matte  ? 0.0F
                                     : schlick(-hit.normal.dot(ray.direction));
  if (hit.on_plane) {
    sample.direct = covered * light_.dome(ray.direction);
    if (covered >= 1) return sample;
  }

  const Eigen::Vector3f to_sun = light_.on_sun(sampler.next());
  const Eigen::Array3f sun = sunlight(hit, to_sun);
  if (!hit.matte) {
    sample.direct = sun * highlight(hit.normal, -ray.direction, to_sun);
    sample.mirror = {Eigen::Array3f::Constant(covered), mirrored(hit, ray.direction, sampler)};
  }
  sample.diffuse = {(1 - covered) * hit.albedo, sun + bounced(hit, bounces_, sampler)};
  return sample;
}

Eigen::Array3f PathTracer::sunlight(const Hit& hit, const Eigen::Vector3f& to_sun) const {
  const float cosine = hit.normal.dot(to_sun);
  if (cosine <= 0 || scene_.shadowed(hit.position, to_sun)) return Eigen::Array3f::Zero();
  return cosine * light_.sun_colour();
}

Eigen::Array3f PathTracer::bounced(const Hit& hit, int bounces, PixelSampler& sampler) const {
  if (bounces == 0) return Eigen::Array3f::Zero();
  const Eigen::Vector3f direction = cosine_direction(hit.normal, sampler.next());
  return seen(hit, direction, kIndirectSpread, bounces - 1, sampler);
}

Eigen::Array3f PathTracer::mirrored(const Hit& hit, const Eigen::Vector3f& direction,
                                    PixelSampler& sampler) const {
  const Eigen::Vector3f mirror = direction - 2 * hit.normal.dot(direction) * hit.normal;
  const Eigen::Vector3f blur = kReflectionBlur * disc_offset(mirror, sampler.next());
  return seen(hit, (mirror + blur).normalized(), kReflectionBlur, std::min(bounces_, 1), sampler);
}

Eigen::Array3f PathTracer::seen(const Hit& from, Eigen::Vector3f direction, float spread,
                                int bounces, PixelSampler& sampler) const {
  // Smooth normals send some rays into the facet: fold them out, black would line silhouettes.
  direction -= 2 * std::min(0.0F, from.geometric.dot(direction)) * from.geometric;
  Hit hit;
  if (!scene_.intersect({from.position, direction, spread}, hit)) return light_.dome(direction);
  const Eigen::Array3f sun = sunlight(hit, light_.on_sun(sampler.next()));
  return hit.albedo * (sun + bounced(hit, bounces, sampler));
}

float PathTracer::haze(const Hit& hit) const {
  const float t = std::clamp((hit.distance / haze_distance_ - 1) / 4, 0.0F, 1.0F);
  return t * (2 - t);
}

}  // namespace dashpot
