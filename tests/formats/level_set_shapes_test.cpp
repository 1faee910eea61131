#include "standalone/formats/level_set_shapes.h"

#include <gmock/gmock.h>
#include <openvdb/tools/Interpolation.h>

#include "solver/base/error.h"
#include "standalone/formats/level_set_grid.h"

namespace dashpot {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

LevelSetShape bowl(double radius, double height) {
  LevelSetShape shape;
  shape.type = "bowl";
  shape.radius = radius;
  shape.height = height;
  shape.thickness = 0.1;
  shape.voxel_size = 0.02;
  return shape;
}

// Distance to the middle of the wall, less half its thickness: to 2000 points of the arc.
double brute_distance(double rim, double depth, double x, double y) {
  const double radius = (rim * rim + depth * depth) / (2 * depth), centre = radius - depth / 2;
  const double whole = std::atan2(rim, centre - depth / 2);
  double least = 1e9;
  for (int i = 0; i <= 2000; ++i) {
    const double angle = whole * i / 2000;
    least = std::min(
        least, std::hypot(x - radius * std::sin(angle), y - (centre - radius * std::cos(angle))));
  }
  return least - 0.05;
}

TEST(LevelSetShapes, ABowlIsAPartOfASphericalShell) {
  for (const auto& [rim, depth] : {std::pair{0.6, 0.3}, {0.5, 0.5}, {0.3, 0.5}}) {
    const auto grid = make_level_set(bowl(rim, depth));
    openvdb::tools::GridSampler<openvdb::FloatGrid, openvdb::tools::BoxSampler> sampler(*grid);
    for (double x = 0; x < 0.7; x += 0.043)
      for (double y = -0.4; y < 0.4; y += 0.037) {
        const double expected = brute_distance(rim, depth, x, y);
        if (std::abs(expected) > 0.03) continue;  // the middle of the wall has an edge
        const double turned = x / std::sqrt(2);   // round about y
        EXPECT_NEAR(sampler.wsSample(openvdb::Vec3d(turned, y, -turned)), expected, 0.002)
            << rim << " " << depth << ": " << x << " " << y;
      }
  }
}

TEST(LevelSetShapes, AWallThatVoxelsCannotShowIsRefused) {
  LevelSetShape thin = bowl(1, 0.5);
  thin.thickness = 0.03;
  EXPECT_THAT([&] { make_level_set(thin); },
              ThrowsMessage<InputError>(HasSubstr("the bowl is 0.03 m thin")));
}

}  // namespace
}  // namespace dashpot
