#include "standalone/formats/text_writer.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace dashpot {

void TextWriter::separate() {
  if (!text_.empty() && text_.back() != '\n') text_ += ' ';
}

TextWriter& TextWriter::word(std::string_view text) {
  separate();
  text_ += text;
  return *this;
}

TextWriter& TextWriter::integer(long value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return word({digits, static_cast<std::size_t>(end - digits)});
}

TextWriter& TextWriter::number(double value) {
  // std::to_chars for doubles needs GCC 11.
  char digits[32];
  for (int precision = 15;; ++precision) {
    const int size = std::snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (precision == 17 || std::strtod(digits, nullptr) == value)
      return word({digits, static_cast<std::size_t>(size)});
  }
}

TextWriter& TextWriter::position(const Points& points, Eigen::Index point) {
  for (Eigen::Index axis = 0; axis < 3; ++axis) number(points(axis, point));
  return *this;
}

TextWriter& TextWriter::corners(const Tet& tet, int base) {
  for (const int p : tet) integer(p + base);
  return *this;
}

void TextWriter::end_line() {
  text_ += '\n';
}

void TextWriter::line(std::string_view text) {
  text_ += text;
  text_ += '\n';
}

}  // namespace dashpot
