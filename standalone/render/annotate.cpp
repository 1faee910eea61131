#include "standalone/render/annotate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "standalone/render/palette.h"
#include "standalone/render/stroke_font.h"

namespace dashpot {
namespace {

constexpr float kPenWidth = 0.15F;  // of the height of capitals

void blend(Image& image, int x, int y, const Rgb& colour, float opacity) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height || opacity <= 0) return;
  std::uint8_t* pixel =
      &image.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                      static_cast<std::size_t>(x))];
  for (std::size_t k = 0; k < 3; ++k) {
    const auto old = static_cast<float>(pixel[k]);
    pixel[k] = static_cast<std::uint8_t>(
        std::lround(old + opacity * (static_cast<float>(colour[k]) - old)));
  }
}

float distance(const Eigen::Vector2f& p, const Eigen::Vector2f& a, const Eigen::Vector2f& b) {
  const Eigen::Vector2f along = b - a;
  const float length2 = along.squaredNorm();
  const float t = length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0F, 1.0F) : 0;
  return (p - a - t * along).norm();
}

// How much of each pixel of a part of the image the pen covers. Strokes that cross do not darken
// each other.
class Coverage {
 public:
  Coverage(int left, int top, int width, int height)
      : left_(left),
        top_(top),
        width_(width),
        height_(height),
        covered_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), 0.0F) {}

  void add(const Eigen::Vector2f& a, const Eigen::Vector2f& b, float half_width) {
    const float reach = half_width + 1;
    const int x0 = std::max(0, static_cast<int>(std::min(a.x(), b.x()) - reach) - left_);
    const int y0 = std::max(0, static_cast<int>(std::min(a.y(), b.y()) - reach) - top_);
    const int x1 = std::min(width_, static_cast<int>(std::max(a.x(), b.x()) + reach) + 1 - left_);
    const int y1 = std::min(height_, static_cast<int>(std::max(a.y(), b.y()) + reach) + 1 - top_);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        const Eigen::Vector2f centre(static_cast<float>(left_ + x) + 0.5F,
                                     static_cast<float>(top_ + y) + 0.5F);
        float& covered = covered_[index(x, y)];
        covered =
            std::max(covered, std::clamp(half_width + 0.5F - distance(centre, a, b), 0.0F, 1.0F));
      }
  }

  void paint(Image& image, const Rgb& colour) const {
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x)
        blend(image, left_ + x, top_ + y, colour, covered_[index(x, y)]);
  }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int left_, top_, width_, height_;
  std::vector<float> covered_;
};

constexpr std::size_t kLabelLines = 2;
constexpr float kLineHeight = 1.55F;  // of the height of capitals

// The longest start of `text` that fits, with dots for the rest.
std::string cut_to_fit(float size, const std::string& text, float width) {
  if (text_width(size, text) <= width) return text;
  std::size_t length = text.size();
  const auto inside_character = [&] {
    return length < text.size() && (static_cast<std::uint8_t>(text[length]) & 0xC0U) == 0x80U;
  };
  while (length > 0 &&
         (inside_character() || text_width(size, text.substr(0, length) + "...") > width))
    --length;
  return text.substr(0, length) + "...";
}

// Broken between words.
std::vector<std::string> label_lines(float size, const std::string& text, float width) {
  std::vector<std::string> lines;
  std::string rest = text;
  while (lines.size() + 1 < kLabelLines && text_width(size, rest) > width) {
    std::size_t end = rest.rfind(' ');
    while (end != std::string::npos && end > 0 && text_width(size, rest.substr(0, end)) > width)
      end = rest.rfind(' ', end - 1);
    if (end == std::string::npos || end == 0) break;
    lines.push_back(rest.substr(0, end));
    rest = rest.substr(end + 1);
  }
  lines.push_back(cut_to_fit(size, rest, width));
  return lines;
}

// Numbers under a colour scale, and how wide it must be for them not to touch. The middle one is
// left out where there is no room for it.
struct ScaleTicks {
  ScaleTicks(float size, double from, double to, float room)
      : low((from != 0 ? "\u2264 " : "") + short_number(from)),
        middle(short_number((from + to) / 2)),
        high("\u2265 " + short_number(to)) {
    const float gap = 1.5F * size;
    const float longer = std::max(text_width(size, low), text_width(size, high));
    least_width = text_width(size, middle) + 2 * (longer + gap);
    if (least_width <= room) return;
    middle.clear();
    least_width = text_width(size, low) + text_width(size, high) + gap;
  }

  std::string low, middle, high;
  float least_width;
};

}  // namespace

void fill_rectangle(Image& image, int x, int y, int width, int height, const Rgb& colour,
                    float opacity) {
  for (int row = std::max(y, 0); row < std::min(y + height, image.height); ++row)
    for (int column = std::max(x, 0); column < std::min(x + width, image.width); ++column)
      blend(image, column, row, colour, opacity);
}

void draw_text(Image& image, float x, float y, float size, const std::string& text,
               const Rgb& colour) {
  const TextStrokes strokes = text_strokes(text);
  const float half_width = std::max(kPenWidth * size / 2, 0.45F);
  const int margin = static_cast<int>(half_width) + 2;
  Coverage coverage(static_cast<int>(x) - margin, static_cast<int>(y) - margin,
                    static_cast<int>(strokes.width * size) + 2 * margin + 2,
                    static_cast<int>(1.4F * size) + 2 * margin + 2);
  const auto place = [&](const Eigen::Vector2f& p) {
    return Eigen::Vector2f(x + size * p.x(), y + size * (1 - p.y()));
  };
  for (const Stroke& stroke : strokes.strokes)
    for (std::size_t i = 0; i + 1 < stroke.size() || i == 0; ++i)
      coverage.add(place(stroke[i]), place(stroke[std::min(i + 1, stroke.size() - 1)]), half_width);
  coverage.paint(image, colour);
}

void draw_lines(Image& image, const std::vector<Line>& lines, float width, const Rgb& colour) {
  if (lines.empty()) return;
  Eigen::AlignedBox2f box;
  for (const Line& line : lines) box.extend(line[0]).extend(line[1]);
  const Eigen::AlignedBox2f frame(
      Eigen::Vector2f::Zero(),
      Eigen::Vector2f(static_cast<float>(image.width), static_cast<float>(image.height)));
  const Eigen::Vector2f reach = Eigen::Vector2f::Constant(width / 2 + 2);
  box = Eigen::AlignedBox2f(box.min() - reach, box.max() + reach).intersection(frame);
  if (box.isEmpty()) return;
  const Eigen::Vector2i low = box.min().cast<int>(), high = box.max().cast<int>();
  Coverage coverage(low.x(), low.y(), high.x() - low.x() + 1, high.y() - low.y() + 1);
  for (const Line& line : lines) coverage.add(line[0], line[1], width / 2);
  coverage.paint(image, colour);
}

Rgb bytes_of(const Eigen::Vector3f& linear) {
  Rgb bytes{};
  for (std::size_t k = 0; k < 3; ++k)
    bytes[k] = static_cast<std::uint8_t>(
        std::lround(255 * linear_to_srgb(linear[static_cast<Eigen::Index>(k)])));
  return bytes;
}

float text_width(float size, const std::string& text) {
  return size * text_strokes(text).width;
}

float text_size(const Image& image) {
  return std::max(7.0F, std::round(static_cast<float>(std::min(image.width, image.height)) / 45));
}

float label_height(const Image& image, const std::string& text, float room) {
  const float size = text_size(image), margin = std::round(size);
  const auto lines = static_cast<float>(label_lines(size, text, room - 2.4F * margin).size());
  return size + kLineHeight * size * (lines - 1) + 1.9F * margin;
}

void draw_label(Image& image, const std::string& text, float room) {
  const float size = text_size(image), margin = std::round(size);
  const std::vector<std::string> lines = label_lines(size, text, room - 2.4F * margin);
  float width = 0;
  for (const std::string& line : lines) width = std::max(width, text_width(size, line));
  fill_rectangle(image, static_cast<int>(margin / 2), static_cast<int>(margin / 2),
                 static_cast<int>(width + 1.4F * margin),
                 static_cast<int>(label_height(image, text, room) - margin / 2), kPaper, 0.72F);
  for (std::size_t i = 0; i < lines.size(); ++i)
    draw_text(image, 1.2F * margin, 1.2F * margin + kLineHeight * size * static_cast<float>(i),
              size, lines[i]);
}

float draw_corner(Image& image, const std::string& text) {
  const float size = text_size(image), width = text_width(size, text);
  const float left = static_cast<float>(image.width) - width - 1.2F * size;
  draw_text(image, left, 1.2F * size, size, text);
  return text.empty() ? static_cast<float>(image.width) : left;
}

void draw_colour_scale(Image& image, const std::string& title, double low, double high) {
  const float size = text_size(image), pad = std::round(0.8F * size);
  const auto left = size, plate_height = 3.6F * size + 3 * pad;
  const ScaleTicks ticks(size, low, high, static_cast<float>(image.width) - 2 * left - 2 * pad);
  const float bar = std::max({14 * size, text_width(size, title), ticks.least_width});
  const float upper = static_cast<float>(image.height) - size - plate_height;
  fill_rectangle(image, static_cast<int>(left), static_cast<int>(upper),
                 static_cast<int>(bar + 2 * pad), static_cast<int>(plate_height), kPaper, 0.72F);
  const float x = left + pad;
  draw_text(image, x, upper + pad, size, title);
  const float bar_top = upper + 1.55F * pad + size;
  for (int i = 0; i < static_cast<int>(bar); ++i) {
    const Eigen::Vector3f colour = map_colour((static_cast<float>(i) + 0.5F) / bar);
    fill_rectangle(image, static_cast<int>(x) + i, static_cast<int>(bar_top), 1,
                   static_cast<int>(1.1F * size), bytes_of(colour));
  }
  const float base = bar_top + 1.1F * size + 0.55F * pad;
  draw_text(image, x, base, size, ticks.low);
  draw_text(image, x + (bar - text_width(size, ticks.middle)) / 2, base, size, ticks.middle);
  draw_text(image, x + bar - text_width(size, ticks.high), base, size, ticks.high);
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  std::string number = text;
  // 1.2e+04 -> 1.2e4
  const std::size_t exponent = number.find('e');
  if (exponent == std::string::npos) return number;
  std::size_t digits = exponent + 2;
  while (digits + 1 < number.size() && number[digits] == '0') ++digits;
  return number.substr(0, exponent + 1) + (number[exponent + 1] == '-' ? "-" : "") +
         number.substr(digits);
}

}  // namespace dashpot
