#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "standalone/render/picture.h"

namespace dashpot {

// The part of the frame's width and height that stays free on every side.
constexpr double kFitMargin = 0.08;

// From the front, a little to the right and above.
inline Vec3 three_quarter_view() {
  return Vec3(-0.50, -0.36, -0.80).normalized();
}

// The nearest camera that looks along `view_direction` with y up and sees all the boxes, margin
// included. Empty boxes are ignored; with no box at all it looks at a unit cube around the origin.
// `aspect` is width / height. To film a sequence, pass the boxes of all its frames. `top_margin` is
// the part of the height that stays free above, for a label.
Camera fit_camera(const std::vector<Eigen::AlignedBox3d>& bounds, double aspect,
                  const Vec3& view_direction = three_quarter_view(),
                  double top_margin = kFitMargin);

}  // namespace dashpot
