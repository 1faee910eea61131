#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace dashpot {

// Linear light to sRGB bytes. Colours below the shoulder come out as they are, so that a colour map
// can be read off the picture; above it highlights roll off towards white instead of clipping.
std::array<std::uint8_t, 3> to_srgb(const Eigen::Array3f& light);

}  // namespace dashpot
