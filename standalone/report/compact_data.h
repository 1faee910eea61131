#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "solver/base/types.h"

namespace dashpot {

// Numbers of a report, small enough to travel inside a page: quantised, predicted, split into
// planes of bytes, deflated (zlib), base64. page/src/decode.ts undoes it.

// q = round((x - origin) / step), 0..65535, one step for all axes.
struct Quantisation {
  Vec3 origin = Vec3::Zero();
  double step = 1;  // m
};
Quantisation quantisation_of(const Vec3& low, const Vec3& high);
// x0 y0 z0 x1 …
std::vector<std::uint16_t> quantise(const Points& points, const Quantisation& quantisation);
// 0..255 for the cube root of 0..1, in units of `limit`: small values keep their differences under
// a large one. Larger values count as the limit.
std::vector<std::uint8_t> quantise(const std::vector<float>& values, double limit);

// Frames of equally many numbers. The first frame is predicted by the number `stride` before, the
// second by the first, others by going on as the two before did.
std::string pack_frames(const std::vector<std::vector<std::uint16_t>>& frames, std::size_t stride);
// Each frame is predicted by the one before.
std::string pack_frames(const std::vector<std::vector<std::uint8_t>>& frames);
// Each number is predicted by the one before.
std::string pack_numbers(const std::vector<std::int32_t>& numbers);

}  // namespace dashpot
