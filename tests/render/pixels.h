#pragma once

#include "standalone/render/annotate.h"

namespace dashpot {

inline Rgb pixel(const Image& image, int x, int y) {
  const std::size_t at = 3 * static_cast<std::size_t>(y * image.width + x);
  return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

}  // namespace dashpot
