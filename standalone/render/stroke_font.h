#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

namespace dashpot {

// Letters as lines of a pen, so that they are sharp at any size and need no font file.
using Stroke = std::vector<Eigen::Vector2f>;

struct TextStrokes {
  std::vector<Stroke> strokes;  // x to the right, y up from the base line; capitals have height 1
  float width = 0;              // of the whole text
};

// UTF-8. Characters without a shape of ours become boxes.
TextStrokes text_strokes(const std::string& text);

}  // namespace dashpot
