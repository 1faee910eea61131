#include "standalone/render/renderer.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <string>

#include "solver/base/error.h"
#include "solver/base/parallel.h"
#include "standalone/render/denoise.h"
#include "standalone/render/path_tracer.h"
#include "standalone/render/tone.h"

namespace dashpot {
namespace {

void check(const RenderSettings& settings, const Camera& camera) {
  const auto require = [](bool good, const char* name, int value, const char* range) {
    if (!good)
      throw InputError(std::string("The picture's ") + name + " is " + std::to_string(value) +
                       "; set it to " + range + ".");
  };
  require(settings.width >= 1 && settings.width <= 16384, "width", settings.width, "1 to 16384");
  require(settings.height >= 1 && settings.height <= 16384, "height", settings.height,
          "1 to 16384");
  require(settings.samples >= 1 && settings.samples <= 65536, "number of samples", settings.samples,
          "1 to 65536");
  require(settings.bounces >= 0 && settings.bounces <= 64, "number of bounces", settings.bounces,
          "0 to 64");
  const Vec3 view = camera.target - camera.eye;
  if (!(view.cross(camera.up).norm() > 1e-9 * view.norm() * camera.up.norm()))
    throw InputError("The camera needs a target apart from its eye and an up across its view.");
  if (!(camera.fov_degrees > 0 && camera.fov_degrees < 179))
    throw InputError("The camera's field of view must be between 0 and 179 degrees.");
}

// Rays through the points of the image, in the scene's unit coordinates.
class Lens {
 public:
  Lens(const Camera& camera, const RayScene& scene, int width, int height)
      : eye_(scene.to_unit(camera.eye)), width_(width), height_(height) {
    const Vec3 forward = (camera.target - camera.eye).normalized();
    const Vec3 right = forward.cross(camera.up).normalized();
    const double slope = std::tan(camera.fov_degrees * EIGEN_PI / 360);
    forward_ = forward.cast<float>();
    right_ = (slope * width / height * right).cast<float>();
    up_ = (slope * right.cross(forward)).cast<float>();
    pixel_angle_ = static_cast<float>(2 * slope / height);
  }

  float pixel_angle() const { return pixel_angle_; }

  Ray ray(int x, int y, const Eigen::Vector2f& inside) const {
    const float across = 2 * (static_cast<float>(x) + inside.x()) / static_cast<float>(width_) - 1;
    const float above = 1 - 2 * (static_cast<float>(y) + inside.y()) / static_cast<float>(height_);
    return {eye_, (forward_ + across * right_ + above * up_).normalized(), pixel_angle_};
  }

 private:
  Eigen::Vector3f eye_, forward_, right_, up_;
  int width_, height_;
  float pixel_angle_;
};

// Mean and spread of one kind of reflection over a pixel's samples.
class Accumulator {
 public:
  void add(const ReflectedLight& sample) {
    sum_.colour += sample.colour;
    sum_.weight += sample.weight;
    sum_.received += sample.received;
    squares_ += sample.received * sample.received;
  }

  void store(ReflectionLayer& layer, std::size_t pixel, float share) const {
    const float mean = share * sum_.received;
    layer.colour[pixel] = share * sum_.colour;
    layer.weight[pixel] = share * sum_.weight;
    layer.variance[pixel] = std::max(share * squares_ - mean * mean, 0.0F) * share;
  }

 private:
  ReflectedLight sum_;
  float squares_ = 0;
};

void trace_pixel(const PathTracer& tracer, const Lens& lens, int samples, int x, int y,
                 Layers& layers) {
  const std::size_t p = layers.index(x, y);
  PixelSampler sampler(static_cast<std::uint32_t>(p));
  const float share = 1 / static_cast<float>(samples);
  Accumulator diffuse, mirror;
  for (int s = 0; s < samples; ++s) {
    sampler.start(s);
    const PathSample sample = tracer.trace(lens.ray(x, y, sampler.next()), sampler);
    diffuse.add(sample.diffuse);
    mirror.add(sample.mirror);
    layers.direct[p] += share * sample.direct;
    layers.normal[p] += share * sample.normal;
    layers.position[p] += share * sample.position;
  }
  diffuse.store(layers.diffuse, p, share);
  mirror.store(layers.mirror, p, share);
  if (layers.normal[p].squaredNorm() > 0) layers.normal[p].normalize();
}

Image develop(const Layers& layers) {
  Image image{layers.width, layers.height, std::vector<std::uint8_t>(3 * layers.direct.size())};
  parallel_each(static_cast<std::ptrdiff_t>(layers.direct.size()), 4096, [&](std::ptrdiff_t i) {
    const auto p = static_cast<std::size_t>(i);
    const auto bytes =
        to_srgb(layers.diffuse.colour[p] + layers.mirror.colour[p] + layers.direct[p]);
    std::copy(bytes.begin(), bytes.end(), image.rgb.begin() + 3 * i);
  });
  return image;
}

}  // namespace

Image render(const Picture& picture, const RenderSettings& settings) {
  check(settings, picture.camera);
  const RayScene scene(picture);
  const StudioLight light(picture.camera);
  const Lens lens(picture.camera, scene, settings.width, settings.height);
  const float reach =
      (scene.to_unit(picture.camera.target) - scene.to_unit(picture.camera.eye)).norm();
  const PathTracer tracer(scene, light, settings.bounces, reach);

  Layers layers(settings.width, settings.height, lens.pixel_angle());
  parallel_each(settings.height, 1, [&](std::ptrdiff_t y) {
    for (int x = 0; x < settings.width; ++x)
      trace_pixel(tracer, lens, settings.samples, x, static_cast<int>(y), layers);
  });
  if (settings.denoise) denoise(layers);
  return develop(layers);
}

}  // namespace dashpot
