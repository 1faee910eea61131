#include "standalone/render/tone.h"

#include <algorithm>
#include <cmath>

#include "standalone/render/palette.h"

namespace dashpot {

std::array<std::uint8_t, 3> to_srgb(const Eigen::Array3f& light) {
  constexpr float kExposure = 0.8F, kShoulder = 0.70F, kWhitening = 0.15F;
  Eigen::Array3f colour = kExposure * light.max(0);
  const float peak = colour.maxCoeff();
  if (peak > kShoulder) {
    // Rolling off the brightest channel alone keeps the hue; overbright colours pale gradually.
    const float room = 1 - kShoulder;
    const float rolled = 1 - room * room / (peak + room - kShoulder);
    const float white = 1 - 1 / (1 + kWhitening * (peak - rolled));
    colour = colour * (rolled / peak) * (1 - white) + white * rolled;
  }
  std::array<std::uint8_t, 3> bytes{};
  for (std::size_t k = 0; k < 3; ++k) {
    const float encoded =
        linear_to_srgb(std::clamp(colour[static_cast<Eigen::Index>(k)], 0.0F, 1.0F));
    bytes[k] = static_cast<std::uint8_t>(std::lround(255 * encoded));
  }
  return bytes;
}

}  // namespace dashpot
