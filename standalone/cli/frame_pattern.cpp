#include "standalone/cli/frame_pattern.h"

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "solver/base/error.h"

namespace dashpot {
namespace {

std::string padded(int frame, int digits) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%0*d", digits, frame);
  return buffer;
}

}  // namespace

FramePattern::FramePattern(std::string pattern) : text_(std::move(pattern)) {
  if (file_name().find("$F") == std::string::npos)
    throw InputError("--out " + text_ +
                     " has no $F for the frame number; write a name such as 'jelly.$F4.geo', in "
                     "single quotes so that the shell leaves $F alone.");
  const std::string extension = std::filesystem::path(text_).extension().string();
  if (extension != ".geo")
    throw InputError("--out " + text_ + ": frames cannot be written as '" + extension +
                     "'; the supported extension is .geo.");
}

std::string FramePattern::file_name() const {
  return std::filesystem::path(text_).filename().string();
}

std::string FramePattern::directory() const {
  const std::string parent = std::filesystem::path(text_).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string FramePattern::path(int frame) const {
  const std::string name = file_name();
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
  return (std::filesystem::path(text_).parent_path() / result).string();
}

}  // namespace dashpot
