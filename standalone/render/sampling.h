#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>

namespace dashpot {

// Points of the unit square for the decisions along a pixel's paths: each draw, taken over all the
// samples, covers the square evenly (Sobol points with hashed Owen scrambling, Burley 2020).
// A pure function of pixel, sample and draw, so that images do not depend on who renders what.
class PixelSampler {
 public:
  explicit PixelSampler(std::uint32_t pixel) : pixel_(mix(pixel)) {}

  // Call before each sample; draws then belong to it.
  void start(int sample) {
    reversed_sample_ = reverse_bits(static_cast<std::uint32_t>(sample));
    draw_ = 0;
  }

  Eigen::Vector2f next() {
    const std::uint32_t seed = mix(pixel_ + ++draw_ * 0x9E3779B9U);
    // Scrambling the number of the sample shuffles it, so that draws do not march in step.
    const std::uint32_t index = reverse_bits(scramble(reversed_sample_, seed));
    return {fraction(scramble(index, seed * 0x85EBCA6BU)),
            fraction(scramble(second_sobol(index), seed * 0xC2B2AE35U))};
  }

 private:
  static std::uint32_t mix(std::uint32_t h) {
    h = (h ^ (h >> 16)) * 0x7FEB352DU;
    h = (h ^ (h >> 15)) * 0x846CA68BU;
    return h ^ (h >> 16);
  }

  static std::uint32_t reverse_bits(std::uint32_t x) {
    x = (x & 0x55555555U) << 1 | (x >> 1 & 0x55555555U);
    x = (x & 0x33333333U) << 2 | (x >> 2 & 0x33333333U);
    x = (x & 0x0F0F0F0FU) << 4 | (x >> 4 & 0x0F0F0F0FU);
    return __builtin_bswap32(x);
  }

  // Each bit is flipped depending on the lower ones: Owen scrambling of a bit-reversed number.
  static std::uint32_t scramble(std::uint32_t reversed, std::uint32_t seed) {
    reversed += seed;
    reversed ^= reversed * 0x6C50B47CU;
    reversed ^= reversed * 0xB82F1E52U;
    reversed ^= reversed * 0xC7AFE638U;
    return reversed ^ reversed * 0x8D22F6E6U;
  }

  // The second Sobol coordinate, bit-reversed: Pascal's triangle modulo two times the index,
  // multiplied out as a butterfly. (The first coordinate reversed is the index itself.)
  static std::uint32_t second_sobol(std::uint32_t index) {
    index ^= index >> 1 & 0x55555555U;
    index ^= index >> 2 & 0x33333333U;
    index ^= index >> 4 & 0x0F0F0F0FU;
    index ^= index >> 8 & 0x00FF00FFU;
    return index ^ index >> 16;
  }

  static float fraction(std::uint32_t reversed) {
    return static_cast<float>(reverse_bits(reversed) >> 8) * 0x1p-24F;
  }

  std::uint32_t pixel_, reversed_sample_ = 0, draw_ = 0;
};

// Two unit vectors that complete `n` to a right-handed frame (Duff et al. 2017).
inline void complete_frame(const Eigen::Vector3f& n, Eigen::Vector3f& t, Eigen::Vector3f& b) {
  const float sign = std::copysign(1.0F, n.z());
  const float a = -1 / (sign + n.z()), c = n.x() * n.y() * a;
  t = {1 + sign * n.x() * n.x() * a, sign * c, -sign * n.x()};
  b = {c, sign + n.y() * n.y() * a, -n.y()};
}

// Uniform on the unit disc.
inline Eigen::Vector2f unit_disc(const Eigen::Vector2f& u) {
  const float radius = std::sqrt(u.x()), angle = static_cast<float>(2 * EIGEN_PI) * u.y();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// The same on the disc across the unit vector `n`.
inline Eigen::Vector3f disc_offset(const Eigen::Vector3f& n, const Eigen::Vector2f& u) {
  Eigen::Vector3f t, b;
  complete_frame(n, t, b);
  const Eigen::Vector2f d = unit_disc(u);
  return d.x() * t + d.y() * b;
}

// A direction with density cos / pi around `n`.
inline Eigen::Vector3f cosine_direction(const Eigen::Vector3f& n, const Eigen::Vector2f& u) {
  return (disc_offset(n, u) + std::sqrt(1 - u.x()) * n).normalized();
}

}  // namespace dashpot
