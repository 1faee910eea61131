#include "standalone/render/denoise.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/base/parallel.h"
#include "standalone/render/palette.h"

namespace dashpot {
namespace {

constexpr int kPasses = 4;
constexpr float kLightTolerance = 2;  // standard deviations
constexpr float kDepthTolerance = 2;  // pixel widths off the tangent plane, per pixel of step
constexpr int kSharpness = 5;         // squarings of the cosine between normals
constexpr float kKernel[3] = {3 / 8.0F, 1 / 4.0F, 1 / 16.0F};  // B3 spline

// What the surfaces receive; negative variance marks pixels without a surface.
struct Received {
  std::vector<Eigen::Array3f> light;
  std::vector<float> variance;
};

// Sixteen samples give a poor variance per pixel: average it over the neighbourhood.
float steady_variance(const Layers& layers, const Received& from, int x, int y) {
  float sum = 0, weights = 0;
  for (int j = std::max(y - 1, 0); j <= std::min(y + 1, layers.height - 1); ++j)
    for (int i = std::max(x - 1, 0); i <= std::min(x + 1, layers.width - 1); ++i) {
      const std::size_t q = layers.index(i, j);
      if (from.variance[q] < 0) continue;
      const float weight = (i == x ? 2.0F : 1.0F) * (j == y ? 2.0F : 1.0F);
      sum += weight * from.variance[q];
      weights += weight;
    }
  return weights > 0 ? sum / weights : 0;
}

float edge_weight(const Layers& layers, const Received& from, std::size_t p, std::size_t q,
                  float depth_scale, float light_scale) {
  float weight = std::clamp(layers.normal[p].dot(layers.normal[q]), 0.0F, 1.0F);
  const float off_plane = std::abs(layers.normal[p].dot(layers.position[q] - layers.position[p]));
  const float difference = std::abs(luminance(from.light[p]) - luminance(from.light[q]));
  // exp(-x) as a power of its tangent at zero, which is as good an edge stop and cheap.
  weight *= std::max(1 - (off_plane * depth_scale + difference * light_scale) / 32, 0.0F);
  for (int k = 0; k < kSharpness; ++k) weight *= weight;
  return weight;
}

void filter_pixel(const Layers& layers, const Received& from, Received& to, int x, int y,
                  int step) {
  const std::size_t p = layers.index(x, y);
  if (from.variance[p] < 0) return;
  const float pixel = layers.position[p].norm() * layers.pixel_angle;
  const float depth_scale = 1 / (kDepthTolerance * pixel * static_cast<float>(step) + 1e-12F);
  const float light_scale =
      1 / (kLightTolerance * std::sqrt(steady_variance(layers, from, x, y)) + 1e-4F);

  Eigen::Array3f colour = kKernel[0] * kKernel[0] * from.light[p];
  float variance = std::pow(kKernel[0], 4.0F) * from.variance[p];
  float weights = kKernel[0] * kKernel[0];
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int i = x + dx * step, j = y + dy * step;
      if ((dx == 0 && dy == 0) || i < 0 || j < 0 || i >= layers.width || j >= layers.height)
        continue;
      const std::size_t q = layers.index(i, j);
      if (from.variance[q] < 0) continue;
      const float weight = kKernel[std::abs(dx)] * kKernel[std::abs(dy)] *
                           edge_weight(layers, from, p, q, depth_scale, light_scale);
      colour += weight * from.light[q];
      variance += weight * weight * from.variance[q];
      weights += weight;
    }
  to.light[p] = colour / weights;
  to.variance[p] = variance / (weights * weights);
}

void filter(const Layers& layers, ReflectionLayer& layer) {
  const std::size_t n = layer.colour.size();
  Received received{std::vector<Eigen::Array3f>(n), layer.variance};
  for (std::size_t p = 0; p < n; ++p) {
    received.light[p] = layer.colour[p] / layer.weight[p].max(1e-6F);
    if (!(layer.weight[p] > 0).any()) received.variance[p] = -1;
  }
  Received filtered = received;
  for (int pass = 0; pass < kPasses; ++pass) {
    parallel_each(layers.height, 4, [&](std::ptrdiff_t y) {
      for (int x = 0; x < layers.width; ++x)
        filter_pixel(layers, received, filtered, x, static_cast<int>(y), 1 << pass);
    });
    std::swap(received, filtered);
  }
  for (std::size_t p = 0; p < n; ++p) layer.colour[p] = received.light[p] * layer.weight[p];
}

}  // namespace

Layers::Layers(int w, int h, float angle) : width(w), height(h), pixel_angle(angle) {
  const std::size_t n = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
  for (auto* layer : {&diffuse, &mirror}) {
    layer->colour.assign(n, Eigen::Array3f::Zero());
    layer->weight.assign(n, Eigen::Array3f::Zero());
    layer->variance.assign(n, 0);
  }
  direct.assign(n, Eigen::Array3f::Zero());
  normal.assign(n, Eigen::Vector3f::Zero());
  position.assign(n, Eigen::Vector3f::Zero());
}

std::size_t Layers::index(int x, int y) const {
  return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
         static_cast<std::size_t>(x);
}

void denoise(Layers& layers) {
  filter(layers, layers.diffuse);
  filter(layers, layers.mirror);
}

}  // namespace dashpot
