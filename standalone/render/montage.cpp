#include "standalone/render/montage.h"

#include <algorithm>
#include <string>

#include "solver/base/error.h"

namespace dashpot {

Image montage(const std::vector<Image>& cells, int columns, int gap, bool border) {
  constexpr long kLargestSide = 32768;
  Image whole;
  if (cells.empty()) return whole;
  columns = std::clamp(columns, 1, static_cast<int>(cells.size()));
  const int rows = (static_cast<int>(cells.size()) + columns - 1) / columns;
  const int width = cells.front().width, height = cells.front().height;
  const int edge = border ? gap : 0;
  const long whole_width = long{columns} * (width + gap) - gap + 2L * edge;
  const long whole_height = long{rows} * (height + gap) - gap + 2L * edge;
  if (whole_width > kLargestSide || whole_height > kLargestSide)
    throw InputError("the pictures side by side would be " + std::to_string(whole_width) + " x " +
                     std::to_string(whole_height) +
                     " pixels; set a smaller --width and --height, or fewer frames.");
  whole.width = static_cast<int>(whole_width);
  whole.height = static_cast<int>(whole_height);
  whole.rgb.assign(
      3 * static_cast<std::size_t>(whole_width) * static_cast<std::size_t>(whole_height), 255);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const int left = edge + static_cast<int>(c) % columns * (width + gap);
    const int top = edge + static_cast<int>(c) / columns * (height + gap);
    for (int y = 0; y < height; ++y)
      std::copy_n(cells[c].rgb.begin() + std::ptrdiff_t{3} * y * width, 3 * width,
                  whole.rgb.begin() + 3 * ((std::ptrdiff_t{top} + y) * whole.width + left));
  }
  return whole;
}

int sheet_columns(int cells) {
  if (cells <= 4) return std::max(cells, 1);
  int best = 4;
  const auto gaps = [&](int columns) { return (columns - cells % columns) % columns; };
  for (const int columns : {5, 3, 6})
    if (gaps(columns) < gaps(best)) best = columns;
  return best;
}

}  // namespace dashpot
