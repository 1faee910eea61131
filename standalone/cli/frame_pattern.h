#pragma once

#include <optional>
#include <string>

namespace dashpot {

// The name of a frame file with a place for the frame number: $F, or $F4 to fill up to four digits
// with zeros.
class FramePattern {
 public:
  // Throws InputError if the file name has no $F, if a folder has one, or if the extension cannot
  // be written.
  explicit FramePattern(std::string pattern);

  const std::string& text() const { return text_; }
  std::string file_name() const;  // without the directory, $F included
  std::string directory() const;  // "." for the current one
  std::string path(int frame) const;
  // The frame that a file of the directory would be.
  std::optional<int> frame_of(const std::string& name) const;

 private:
  std::string text_;
};

}  // namespace dashpot
