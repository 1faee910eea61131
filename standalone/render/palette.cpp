#include "standalone/render/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace dashpot {
namespace {

Eigen::Vector3f from_hex(std::uint32_t rgb) {
  const auto channel = [rgb](int shift) {
    return srgb_to_linear(static_cast<float>((rgb >> shift) & 0xFFU) / 255.0F);
  };
  return {channel(16), channel(8), channel(0)};
}

}  // namespace

float srgb_to_linear(float encoded) {
  return encoded <= 0.04045F ? encoded / 12.92F : std::pow((encoded + 0.055F) / 1.055F, 2.4F);
}

float linear_to_srgb(float linear) {
  return linear <= 0.0031308F ? 12.92F * linear : 1.055F * std::pow(linear, 1 / 2.4F) - 0.055F;
}

Eigen::Vector3f body_colour(int index) {
  static const std::array<Eigen::Vector3f, 8> palette = {
      from_hex(0xEC6B3A),  // apricot jelly
      from_hex(0x2A9AA8),  // lagoon
      from_hex(0xE9B23F),  // honey
      from_hex(0x9079CC),  // lavender
      from_hex(0x5BA85F),  // leaf
      from_hex(0xD4658F),  // raspberry cream
      from_hex(0x3F63C0),  // cornflower
      from_hex(0xCFC4B2),  // oat
  };
  const int count = static_cast<int>(palette.size());
  return palette[static_cast<std::size_t>(((index % count) + count) % count)];
}

Eigen::Vector3f collider_colour() {
  return {0.42F, 0.43F, 0.45F};
}

Eigen::Vector3f map_colour(float value) {
  static const std::array<Eigen::Vector3f, 9> stops = {
      from_hex(0x440154), from_hex(0x472D7B), from_hex(0x3B528B),
      from_hex(0x2C728E), from_hex(0x21918C), from_hex(0x28AE80),
      from_hex(0x5EC962), from_hex(0xADDC30), from_hex(0xFDE725)};
  const float position = std::clamp(value, 0.0F, 1.0F) * static_cast<float>(stops.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const float t = position - static_cast<float>(below);
  return (1 - t) * stops[below] + t * stops[below + 1];
}

std::string hex_colour(const Eigen::Vector3f& linear) {
  char text[8];
  const auto byte = [&](int k) {
    return static_cast<int>(std::lround(255 * linear_to_srgb(linear[k])));
  };
  std::snprintf(text, sizeof(text), "#%02x%02x%02x", byte(0), byte(1), byte(2));
  return text;
}

}  // namespace dashpot
