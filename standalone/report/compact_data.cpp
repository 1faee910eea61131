#include "standalone/report/compact_data.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace dashpot {
namespace {

constexpr int kDeflateLevel = 6;  // 9 is ten times slower and 1 % smaller

std::string deflated(const std::vector<std::uint8_t>& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, bytes.data(),
                static_cast<uLong>(bytes.size()), kDeflateLevel) != Z_OK)
    throw std::runtime_error("zlib could not compress the report's data.");
  packed.resize(size);
  return packed;
}

std::string base64(const std::string& bytes) {
  static const char* const kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t triple = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      triple = triple << 8U | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? kDigits[triple >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

// Small differences of either sign become small numbers.
std::uint16_t zigzag(std::uint16_t difference) {
  const auto sign = static_cast<std::uint16_t>(difference & 0x8000U ? 0xFFFFU : 0U);
  return static_cast<std::uint16_t>(static_cast<std::uint16_t>(difference << 1U) ^ sign);
}

std::uint32_t zigzag(std::uint32_t difference) {
  return difference << 1U ^ (difference & 0x80000000U ? 0xFFFFFFFFU : 0U);
}

}  // namespace

Quantisation quantisation_of(const Vec3& low, const Vec3& high) {
  const double side = (high - low).maxCoeff();
  return {low, side > 0 ? side / 65535 : 1};
}

std::vector<std::uint16_t> quantise(const Points& points, const Quantisation& quantisation) {
  std::vector<std::uint16_t> numbers;
  numbers.reserve(static_cast<std::size_t>(points.size()));
  for (Eigen::Index p = 0; p < points.cols(); ++p)
    for (Eigen::Index axis = 0; axis < 3; ++axis) {
      const double q = (points(axis, p) - quantisation.origin[axis]) / quantisation.step;
      numbers.push_back(static_cast<std::uint16_t>(std::lround(std::clamp(q, 0.0, 65535.0))));
    }
  return numbers;
}

std::vector<std::uint8_t> quantise(const std::vector<float>& values, double limit) {
  std::vector<std::uint8_t> numbers;
  numbers.reserve(values.size());
  for (const float value : values)
    numbers.push_back(static_cast<std::uint8_t>(
        limit > 0 ? std::lround(255 * std::cbrt(std::clamp(double{value} / limit, 0.0, 1.0))) : 0));
  return numbers;
}

std::string pack_frames(const std::vector<std::vector<std::uint16_t>>& frames, std::size_t stride) {
  const std::size_t count = frames.empty() ? 0 : frames.front().size();
  const std::size_t all = count * frames.size();
  std::vector<std::uint8_t> bytes(2 * all);
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t i = 0; i < count; ++i) {
      std::uint16_t predicted = 0;
      if (f >= 2)
        predicted = static_cast<std::uint16_t>(2 * frames[f - 1][i] - frames[f - 2][i]);
      else if (f == 1)
        predicted = frames[0][i];
      else if (i >= stride)
        predicted = frames[0][i - stride];
      const std::uint16_t coded = zigzag(static_cast<std::uint16_t>(frames[f][i] - predicted));
      bytes[f * count + i] = static_cast<std::uint8_t>(coded);
      bytes[all + f * count + i] = static_cast<std::uint8_t>(coded >> 8U);
    }
  return base64(deflated(bytes));
}

std::string pack_frames(const std::vector<std::vector<std::uint8_t>>& frames) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t i = 0; i < frames[f].size(); ++i)
      bytes.push_back(static_cast<std::uint8_t>(frames[f][i] - (f > 0 ? frames[f - 1][i] : 0)));
  return base64(deflated(bytes));
}

std::string pack_numbers(const std::vector<std::int32_t>& numbers) {
  const std::size_t count = numbers.size();
  std::vector<std::uint8_t> bytes(4 * count);
  std::uint32_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint32_t>(numbers[i]);
    const std::uint32_t coded = zigzag(number - before);
    before = number;
    for (std::size_t plane = 0; plane < 4; ++plane)
      bytes[plane * count + i] = static_cast<std::uint8_t>(coded >> (8 * plane));
  }
  return base64(deflated(bytes));
}

}  // namespace dashpot
