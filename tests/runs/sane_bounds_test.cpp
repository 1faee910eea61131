#include "standalone/runs/sane_bounds.h"

#include <gmock/gmock.h>

#include "solver/base/types.h"

namespace dashpot {
namespace {

using testing::ElementsAre;

Eigen::AlignedBox3d cube(double side, const Vec3& corner = Vec3::Zero()) {
  return {corner, Vec3(corner + Vec3::Constant(side))};
}

RunStats stats_with_stretch(int frame, double stretch) {
  RunStats stats;
  stats.lines[frame] = {{"frame", frame}, {"max_stretch", stretch}};
  return stats;
}

TEST(SaneFrames, KeepsBodiesThatTravelFar) {
  const FrameBoxes boxes = {{1, cube(1)}, {2, cube(1, Vec3(0, -20, 0))}, {3, cube(300)}};
  EXPECT_THAT(sane_frames(boxes, {}), ElementsAre(1, 2, 3));
}

TEST(SaneFrames, LeavesOutWhatBurst) {
  const FrameBoxes boxes = {{1, cube(1)}, {2, cube(1.5)}, {3, cube(8)}, {4, cube(1e9)}};
  EXPECT_THAT(sane_frames(boxes, {}), ElementsAre(1, 2, 3));
  EXPECT_THAT(sane_frames(boxes, stats_with_stretch(3, 100)), ElementsAre(1, 2));
}

TEST(SaneFrames, ABodyMayStartAsAPoint) {
  const FrameBoxes boxes = {{1, cube(0)}, {2, cube(0.5)}, {3, cube(1)}};
  EXPECT_THAT(sane_frames(boxes, {}), ElementsAre(1, 2, 3));
  EXPECT_THAT(sane_frames({{1, cube(0)}}, {}), ElementsAre(1));
}

TEST(SaneFrames, EmptyBoxesShowNothing) {
  EXPECT_THAT(sane_frames({{1, {}}, {2, cube(1)}}, {}), ElementsAre(2));
}

}  // namespace
}  // namespace dashpot
