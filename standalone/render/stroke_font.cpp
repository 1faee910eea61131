#include "standalone/render/stroke_font.h"

#include <cstdint>
#include <map>

namespace dashpot {
namespace {

// Each glyph is a list of strokes separated by '|'. The first character of a stroke says how its
// points are joined: '-' by lines, '~' by a smooth curve, '@' by a smooth closed curve. A point is
// a digit x and a letter y: a = -2, c = 0 the base line, g = 4 the height of x, i = 6 that of X.
const std::map<std::uint32_t, const char*>& glyphs() {
  static const std::map<std::uint32_t, const char*> all = {
      {'0', "@0c4c4i0i"},
      {'1', "-0h2i2c|-0c4c"},
      {'2', "~0h0i4i4f0c|-0c4c"},
      {'3', "~0h0i4i4f2f|~2f4f4c0c0d"},
      {'4', "-3c3i0e4e"},
      {'5', "-4i0i0f|~0f1g4g4c0c0d"},
      {'6', "~4h4i0i0d|@0c4c4g0g"},
      {'7', "-0i4i1c"},
      {'8', "@0f4f4i0i|@0c4c4f0f"},
      {'9', "@0e4e4i0i|~4f4c0c0d"},
      {'A', "-0c2i4c|-1e3e"},
      {'B', "-0i0c|~0i4i4f0f|~0f4f4c0c"},
      {'C', "~4h4i0i0c4c4d"},
      {'D', "-0i0c|~0i4i4c0c"},
      {'E', "-4i0i0c4c|-0f3f"},
      {'F', "-4i0i0c|-0f3f"},
      {'G', "~4h4i0i0c4c4f|-4f2f"},
      {'H', "-0i0c|-4i4c|-0f4f"},
      {'I', "-0i0c"},
      {'J', "~3i3c0c0d"},
      {'K', "-0i0c|-4i0e|-1f4c"},
      {'L', "-0i0c3c"},
      {'M', "-0c0i2e4i4c"},
      {'N', "-0c0i4c4i"},
      {'O', "@0c5c5i0i"},
      {'P', "-0c0i|~0i4i4f0f"},
      {'Q', "@0c5c5i0i|-3e5c"},
      {'R', "-0c0i|~0i4i4f0f|-2f4c"},
      {'S', "~4h4i0i0f4f4c0c0d"},
      {'T', "-0i4i|-2i2c"},
      {'U', "~0i0c4c4i"},
      {'V', "-0i2c4i"},
      {'W', "-0i1c3h5c6i"},
      {'X', "-0i4c|-4i0c"},
      {'Y', "-0i2f4i|-2f2c"},
      {'Z', "-0i4i0c4c"},
      {'a', "@0c3c3g0g|-3g3c"},
      {'b', "-0i0c|@0c3c3g0g"},
      {'c', "~3f3g0g0c3c3d"},
      {'d', "-3i3c|@0c3c3g0g"},
      {'e', "-0e3e|~3e3g0g0c3c3d"},
      {'f', "~3i1i1f|-1f1c|-0g3g"},
      {'g', "@0c3c3g0g|-3g3d|~3d3a0a0b"},
      {'h', "-0i0c|~0e0g3g3e|-3e3c"},
      {'i', "-0g0c|-0i0i"},
      {'j', "~1g1a0a|-1i1i"},
      {'k', "-0i0c|-3g0d|-1e3c"},
      {'l', "-0i0c"},
      {'m', "-0g0c|~0e0g2g2e|-2e2c|~2e2g4g4e|-4e4c"},
      {'n', "-0g0c|~0e0g3g3e|-3e3c"},
      {'o', "@0c3c3g0g"},
      {'p', "-0g0a|@0c3c3g0g"},
      {'q', "-3g3a|@0c3c3g0g"},
      {'r', "-0g0c|~0e0g2g"},
      {'s', "~3f3g0g0e3e3c0c0d"},
      {'t', "-1h1d|~1d1c3c|-0g3g"},
      {'u', "-0g0e|~0e0c3c3e|-3g3c"},
      {'v', "-0g2c4g"},
      {'w', "-0g1c2g3c4g"},
      {'x', "-0g3c|-3g0c"},
      {'y', "-0g2c|-4g2c1a"},
      {'z', "-0g3g0c3c"},
      {'.', "-0c0c"},
      {',', "-1c0b"},
      {':', "-0c0c|-0f0f"},
      {';', "-1c0b|-1f1f"},
      {'-', "-0e2e"},
      {'_', "-0b4b"},
      {'/', "-0c3i"},
      {'\\', "-0i3c"},
      {'|', "-0i0b"},
      {'(', "~1i0i0b1b"},
      {')', "~0i1i1b0b"},
      {'[', "-1i0i0b1b"},
      {']', "-0i1i1b0b"},
      {'{', "~2i1i1f0f|~0f1f1b2b"},
      {'}', "~0i1i1f2f|~2f1f1b0b"},
      {'%', "@0g1g1i0i|@3c4c4e3e|-0c4i"},
      {'+', "-0e4e|-2c2g"},
      {'=', "-0f3f|-0d3d"},
      {'<', "-3g0e3c"},
      {'>', "-0g3e0c"},
      {'*', "-1h1f|-0g2g"},
      {'#', "-1c2h|-3c4h|-0d4d|-1g5g"},
      {'!', "-0i0e|-0c0c"},
      {'?', "~0h0i3i3f1f1e|-1c1c"},
      {'\'', "-0i0h"},
      {'"', "-0i0h|-1i1h"},
      {'~', "~0d0f2d3d3f"},
      {'@', "@2d4d4g2g|~4g4d6d6i0i0c5c"},
      {'$', "~4h4h0h0f4f4d0d|-2i2c"},
      {'&', "~4c0g0i3i3g0e0c3c4e"},
      {'^', "-0g1i2g"},
      {'`', "-0i1h"},
      {0xB2, "~0h0i2i2h0f|-0f2f"},  // superscript 2
      {0xB3, "~0i2i2h1h|~1h2h2f0f"},
      {0xB7, "-0e0e"},            // middle dot
      {0xD7, "-0f2d|-0d2f"},      // times
      {0x2013, "-0e3e"},          // en dash
      {0x2264, "-3h0f3d|-0c3c"},  // less or equal
      {0x2265, "-0h3f0d|-0c3c"},  // greater or equal
  };
  return all;
}

constexpr float kUnit = 1.0F / 6;
constexpr float kGap = 1.9F, kBlank = 2.6F;  // units

// Cuts corners until they look round (Chaikin); the ends of an open curve stay.
Stroke rounded(Stroke points, bool closed) {
  for (int round = 0; round < 3; ++round) {
    Stroke finer;
    if (!closed) finer.push_back(points.front());
    const std::size_t edges = closed ? points.size() : points.size() - 1;
    for (std::size_t i = 0; i < edges; ++i) {
      const Eigen::Vector2f a = points[i], b = points[(i + 1) % points.size()];
      finer.emplace_back(0.75F * a + 0.25F * b);
      finer.emplace_back(0.25F * a + 0.75F * b);
    }
    if (!closed) finer.push_back(points.back());
    points = std::move(finer);
  }
  if (closed) points.push_back(points.front());
  return points;
}

// Adds a glyph at `x`; returns its width.
float add_glyph(const char* spelled, float x, std::vector<Stroke>& strokes) {
  float width = 0;
  for (const char* at = spelled; *at != '\0';) {
    const char kind = *at++;
    Stroke points;
    for (; *at != '\0' && *at != '|'; at += 2) {
      points.emplace_back(static_cast<float>(at[0] - '0'), static_cast<float>(at[1] - 'c'));
      width = std::max(width, points.back().x());
    }
    if (*at == '|') ++at;
    if (kind != '-') points = rounded(std::move(points), kind == '@');
    for (Eigen::Vector2f& p : points) p = kUnit * Eigen::Vector2f(p.x() + x, p.y());
    strokes.push_back(std::move(points));
  }
  return width;
}

// The next character of UTF-8 text; damaged bytes count as characters of their own.
std::uint32_t next_character(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0;
  };
  const std::uint32_t first = byte(at++);
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0;
  std::uint32_t character = more ? first & (0x3FU >> static_cast<unsigned>(more)) : first;
  for (int k = 0; k < more && (byte(at) & 0xC0U) == 0x80U; ++k)
    character = character << 6U | (byte(at++) & 0x3FU);
  return character;
}

}  // namespace

TextStrokes text_strokes(const std::string& text) {
  TextStrokes result;
  float x = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t character = next_character(text, at);
    if (x > 0) x += kGap;
    if (character == ' ') {
      x += kBlank - kGap;
      continue;
    }
    const auto glyph = glyphs().find(character);
    x += add_glyph(glyph == glyphs().end() ? "-0c3c3i0i0c" : glyph->second, x, result.strokes);
  }
  result.width = kUnit * x;
  return result;
}

}  // namespace dashpot
