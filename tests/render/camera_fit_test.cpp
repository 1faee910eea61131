#include "standalone/render/camera_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "solver/base/error.h"

namespace dashpot {
namespace {

// Image coordinates, -1..1 across the frame, of a point in front of the camera.
Eigen::Vector2d project(const Camera& camera, double aspect, const Vec3& p) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized();
  const Vec3 up = right.cross(forward), d = p - camera.eye;
  EXPECT_GT(d.dot(forward), 0);
  const double slope = std::tan(camera.fov_degrees * EIGEN_PI / 360) * d.dot(forward);
  return {d.dot(right) / (slope * aspect), d.dot(up) / slope};
}

double furthest(const Camera& camera, double aspect,
                const std::vector<Eigen::AlignedBox3d>& boxes) {
  double result = 0;
  for (const auto& box : boxes)
    for (int i = 0; i < 8; ++i)
      result = std::max(result, project(camera, aspect,
                                        box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(i)))
                                    .cwiseAbs()
                                    .maxCoeff());
  return result;
}

TEST(CameraFit, AllCornersReachExactlyTheMarginForRandomBoxesViewsAndAspects) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  for (int trial = 0; trial < 300; ++trial) {
    const double size = std::pow(10, 3 * uniform(random)), aspect = std::exp(uniform(random));
    std::vector<Eigen::AlignedBox3d> boxes;
    for (int k = 0; k <= trial % 3; ++k) {
      const Vec3 centre = 5 * size * vector(), half = size * (vector().cwiseAbs());
      boxes.emplace_back(centre - half, centre + half);
    }
    const Camera camera = fit_camera(boxes, aspect, vector());
    EXPECT_NEAR(furthest(camera, aspect, boxes), 1 - 2 * kFitMargin, 1e-9) << "trial " << trial;
  }
}

TEST(CameraFit, ALabelAboveHasItsRoom) {
  for (const double aspect : {0.3, 2.0}) {
    const Eigen::AlignedBox3d box(Vec3(-1, 0, -1), Vec3(1, 3, 1));
    const Camera camera = fit_camera({box}, aspect, three_quarter_view(), 0.25);
    double highest = -1, lowest = 1;
    for (int i = 0; i < 8; ++i) {
      const auto corner = static_cast<Eigen::AlignedBox3d::CornerType>(i);
      const double y = project(camera, aspect, box.corner(corner)).y();
      highest = std::max(highest, y);
      lowest = std::min(lowest, y);
    }
    EXPECT_LE(highest, 0.5 + 1e-9);  // a quarter of the height is free
    EXPECT_GE(lowest, -1 + 2 * kFitMargin - 1e-9);
    EXPECT_LE(furthest(camera, aspect, {box}), 1 - 2 * kFitMargin + 1e-9);
  }
}

TEST(CameraFit, LooksDownFromTheFrontWithYUp) {
  const Eigen::AlignedBox3d box(Vec3(-1, 0, -1), Vec3(1, 1, 1));
  const Camera camera = fit_camera({box}, 16.0 / 9);
  EXPECT_EQ(camera.up, Vec3::UnitY());
  EXPECT_GT(camera.eye.y(), 1);
  EXPECT_GT(camera.eye.z(), 1);
}

TEST(CameraFit, LooksStraightDown) {
  const Eigen::AlignedBox3d box(Vec3(-1, 0, -1), Vec3(1, 1, 1));
  const Camera camera = fit_camera({box}, 1.5, -Vec3::UnitY());
  EXPECT_NEAR(furthest(camera, 1.5, {box}), 1 - 2 * kFitMargin, 1e-9);
}

TEST(CameraFit, SeesSomethingWithoutBoxesAndAroundASinglePoint) {
  const Vec3 point(3, 4, 5);
  const Camera alone = fit_camera({Eigen::AlignedBox3d(point, point)}, 1);
  EXPECT_NEAR(project(alone, 1, point).norm(), 0, 0.2);
  EXPECT_GT((alone.eye - point).norm(), 0.5);
  for (const Camera& empty : {fit_camera({}, 1), fit_camera({Eigen::AlignedBox3d()}, 1)})
    EXPECT_NEAR(project(empty, 1, Vec3::Zero()).norm(), 0, 0.2);
}

TEST(CameraFit, RejectsAZeroAspectOrDirection) {
  EXPECT_THROW(fit_camera({}, 0), InputError);
  EXPECT_THROW(fit_camera({}, 1, Vec3::Zero()), InputError);
}

}  // namespace
}  // namespace dashpot
