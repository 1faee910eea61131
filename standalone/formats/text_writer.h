#pragma once

#include <string>
#include <string_view>

#include "standalone/formats/tet_geometry.h"

namespace dashpot {

// Lines of words and numbers, separated by single blanks.
class TextWriter {
 public:
  TextWriter& word(std::string_view text);
  TextWriter& integer(long value);
  // With as few of 15 to 17 digits as read back to exactly this number.
  TextWriter& number(double value);
  TextWriter& position(const Points& points, Eigen::Index point);
  TextWriter& corners(const Tet& tet, int base);  // numbered from `base`
  void end_line();
  // A line by itself.
  void line(std::string_view text);

  std::string take_text() { return std::move(text_); }

 private:
  void separate();

  std::string text_;
};

}  // namespace dashpot
