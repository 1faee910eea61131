#include "standalone/files/frame_name.h"

#include <cctype>
#include <charconv>
#include <cstdio>

namespace dashpot {
namespace {

std::string padded(int frame, int digits) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%0*d", digits, frame);
  return buffer;
}

}  // namespace

bool has_frame_number(const std::string& name) {
  return name.find("$F") != std::string::npos;
}

std::string frame_name(const std::string& name, int frame) {
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.compare(i, 2, "$F") != 0) {
      result += name[i];
      continue;
    }
    ++i;
    const bool has_digit =
        i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1]));
    result += padded(frame, has_digit ? name[++i] - '0' : 1);
  }
  return result;
}

std::optional<int> frame_number(const std::string& sequence, const std::string& name) {
  const std::size_t begin = sequence.find("$F");
  if (begin == std::string::npos || name.size() <= begin) return std::nullopt;
  const char* digits = name.data() + begin;
  // A digit may follow the number, as in $F41.geo.
  for (const char* end = name.data() + name.size(); end > digits; --end) {
    int frame = 0;
    const auto read = std::from_chars(digits, end, frame);
    if (read.ec == std::errc() && frame_name(sequence, frame) == name) return frame;
  }
  return std::nullopt;
}

std::string frame_list(const std::vector<int>& frames) {
  std::string text;
  for (std::size_t i = 0; i < frames.size();) {
    std::size_t end = i;
    while (end + 1 < frames.size() && frames[end + 1] == frames[end] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(frames[i]);
    if (end > i) text += "-" + std::to_string(frames[end]);
    i = end + 1;
  }
  return text;
}

}  // namespace dashpot
