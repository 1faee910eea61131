#include "standalone/cli/frame_pattern.h"

#include <filesystem>
#include <utility>

#include "solver/base/error.h"
#include "standalone/files/frame_name.h"
#include "standalone/geometry/container.h"

namespace dashpot {

FramePattern::FramePattern(std::string pattern) : text_(std::move(pattern)) {
  if (has_frame_number(directory()))
    throw InputError("--out " + text_ +
                     " has $F in the name of a folder; all frames of a run go into one folder, "
                     "write $F in the file's name only, as in 'out/jelly.$F4.bgeo.sc'.");
  if (!has_frame_number(file_name()))
    throw InputError("--out " + text_ +
                     " has no $F for the frame number; write a name such as 'jelly.$F4.bgeo.sc', "
                     "in single quotes so that the shell leaves $F alone.");
  if (!known_form(text_))
    throw InputError("--out " + text_ +
                     ": frames cannot be written under this name; end it in .bgeo.sc, .bgeo, "
                     ".bgeo.gz or .geo.");
}

std::string FramePattern::file_name() const {
  return std::filesystem::path(text_).filename().string();
}

std::string FramePattern::directory() const {
  const std::string parent = std::filesystem::path(text_).parent_path().string();
  return parent.empty() ? "." : parent;
}

std::string FramePattern::path(int frame) const {
  return (std::filesystem::path(text_).parent_path() / frame_name(file_name(), frame)).string();
}

std::optional<int> FramePattern::frame_of(const std::string& name) const {
  return frame_number(file_name(), name);
}

}  // namespace dashpot
