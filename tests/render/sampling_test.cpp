#include "standalone/render/sampling.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>

namespace dashpot {
namespace {

TEST(PixelSampler, EveryCellRowAndColumnOfEveryDrawGetsOneOfSixteenSamples) {
  for (std::uint32_t pixel : {0U, 1U, 12345U})
    for (int draw = 0; draw < 6; ++draw)
      // 16 x 1, 8 x 2, ... 1 x 16 boxes.
      for (int columns = 1; columns <= 16; columns *= 2) {
        const int rows = 16 / columns;
        std::set<int> boxes;
        PixelSampler sampler(pixel);
        for (int s = 0; s < 16; ++s) {
          sampler.start(s);
          Eigen::Vector2f u = sampler.next();
          for (int skipped = 0; skipped < draw; ++skipped) u = sampler.next();
          boxes.insert(static_cast<int>(u.x() * static_cast<float>(columns)) +
                       columns * static_cast<int>(u.y() * static_cast<float>(rows)));
        }
        EXPECT_EQ(boxes.size(), 16U) << "pixel " << pixel << " draw " << draw;
      }
}

TEST(PixelSampler, NeighbouringPixelsAndDrawsDiffer) {
  PixelSampler here(10), there(11);
  here.start(0);
  there.start(0);
  const Eigen::Vector2f first = here.next();
  EXPECT_NE(first, there.next());
  EXPECT_NE(first, here.next());
}

TEST(Sampling, AFrameIsOrthonormalAlsoAtThePoles) {
  for (const Eigen::Vector3f& direction :
       {Eigen::Vector3f(0, 0, 1), Eigen::Vector3f(0, 0, -1), Eigen::Vector3f(1, -2, -3)}) {
    const Eigen::Vector3f n = direction.normalized();
    Eigen::Vector3f t, b;
    complete_frame(n, t, b);
    EXPECT_LT((t.cross(b) - n).norm(), 1e-6F);
    EXPECT_NEAR(t.dot(b), 0, 1e-6F);
  }
}

TEST(Sampling, CosineDirectionsHaveTheCosineAsTheirMean) {
  const Eigen::Vector3f n = Eigen::Vector3f(1, 2, -2) / 3;
  PixelSampler sampler(3);
  float sum = 0;
  constexpr int kCount = 4096;
  for (int s = 0; s < kCount; ++s) {
    sampler.start(s);
    sum += n.dot(cosine_direction(n, sampler.next()));
  }
  EXPECT_NEAR(sum / kCount, 2.0 / 3, 1e-3);
}

}  // namespace
}  // namespace dashpot
