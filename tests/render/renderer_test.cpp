#include "standalone/render/renderer.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/base/error.h"
#include "standalone/render/camera_fit.h"
#include "standalone/render/ground_pattern.h"
#include "standalone/render/palette.h"
#include "standalone/render/studio_light.h"
#include "tests/render/sample_surfaces.h"

namespace dashpot {
namespace {

RenderSettings small(int width = 160, int height = 90, int samples = 8) {
  RenderSettings settings;
  settings.width = width;
  settings.height = height;
  settings.samples = samples;
  return settings;
}

Camera looking_at_origin(const Vec3& eye) {
  Camera camera;
  camera.eye = eye;
  return camera;
}

// The pixel that shows a point.
Eigen::Vector2i pixel_of(const Camera& camera, const Image& image, const Vec3& p) {
  const Vec3 forward = (camera.target - camera.eye).normalized();
  const Vec3 right = forward.cross(camera.up).normalized();
  const Vec3 d = p - camera.eye;
  const double scale =
      image.height / (2 * std::tan(camera.fov_degrees * EIGEN_PI / 360) * d.dot(forward));
  return {static_cast<int>(image.width / 2.0 + scale * d.dot(right)),
          static_cast<int>(image.height / 2.0 - scale * d.dot(right.cross(forward)))};
}

struct Patch {
  double mean, deviation;
};

// Statistics of the green channel over a square of pixels.
Patch patch(const Image& image, const Eigen::Vector2i& at, int half) {
  double sum = 0, squares = 0;
  int count = 0;
  for (int y = at.y() - half; y <= at.y() + half; ++y)
    for (int x = at.x() - half; x <= at.x() + half; ++x) {
      const double value = image.rgb.at(3 * static_cast<std::size_t>(y * image.width + x) + 1);
      sum += value;
      squares += value * value;
      ++count;
    }
  const double mean = sum / count;
  return {mean, std::sqrt(std::max(0.0, squares / count - mean * mean))};
}

Picture ball_over_floor() {
  Picture picture;
  picture.surfaces = {sphere(Vec3(0, 1, 0), 0.5)};
  picture.planes = {Ground{}};
  picture.camera = looking_at_origin(Vec3(0, 4, 8));
  return picture;
}

TEST(Renderer, ASphereCastsAShadowOnTheFloor) {
  const Picture picture = ball_over_floor();
  const Image image = render(picture, small(320, 180, 8));
  const Vec3 sun = StudioLight(picture.camera).sun().cast<double>();
  const Vec3 shadow = Vec3(0, 1, 0) - sun / sun.y();
  const Vec3 mirrored(-shadow.x(), 0, shadow.z());
  const double dark = patch(image, pixel_of(picture.camera, image, shadow), 2).mean;
  const double lit = patch(image, pixel_of(picture.camera, image, mirrored), 2).mean;
  EXPECT_LT(dark, 0.75 * lit);
  EXPECT_GT(dark, 20) << "the dome and the floor still light the shadow";
  EXPECT_LT(lit, 250) << "the lit floor is not blown out";
}

TEST(Renderer, TheImageIsTheSameForAnyNumberOfThreads) {
  Picture picture = ball_over_floor();
  picture.surfaces.push_back(sphere(Vec3(-1, 0.6, 0), 0.6, 60));
  picture.surfaces.push_back(cube(Vec3(1, 0.3, 0.5), 0.3));
  std::vector<Image> images;
  for (std::size_t threads : {1U, 2U, 4U}) {
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
    images.push_back(render(picture, small()));
  }
  EXPECT_EQ(images[0].rgb, images[1].rgb);
  EXPECT_EQ(images[0].rgb, images[2].rgb);
}

TEST(Renderer, AFaceOfACubeIsFlatAndAnotherFaceIsDifferent) {
  Picture picture;
  picture.surfaces = {cube(Vec3::Zero(), 1)};
  picture.surfaces[0].colour = body_colour(1);
  picture.camera = looking_at_origin(Vec3(0.5, 5, 9));
  const Image image = render(picture, small(320, 180, 8));
  const Patch front = patch(image, pixel_of(picture.camera, image, Vec3(0, 0, 1)), 15);
  const Patch top = patch(image, pixel_of(picture.camera, image, Vec3(0, 1, 0)), 7);
  EXPECT_LT(front.deviation, 2.5);
  EXPECT_LT(top.deviation, 2.5);
  EXPECT_GT(top.mean, front.mean + 10);
}

TEST(Renderer, AnEmptyPictureIsASmoothBackdrop) {
  const Image image = render(Picture{}, small());
  ASSERT_EQ(image.rgb.size(), 3U * 160 * 90);
  for (int x : {10, 80, 150})
    for (int y : {10, 45, 80}) {
      const Patch here = patch(image, {x, y}, 3);
      EXPECT_LT(here.deviation, 4);
      EXPECT_GT(here.mean, 60);
    }
}

TEST(Renderer, SurfacesWithoutTrianglesOrPointsAreAllowed) {
  Picture picture;
  picture.surfaces.resize(2);
  picture.surfaces[1].points = Points::Zero(3, 1);
  EXPECT_EQ(render(picture, small()).rgb, render(Picture{}, small()).rgb);
}

TEST(Renderer, TheSizeAndPlaceOfTheSceneDoNotChangeThePicture) {
  Picture here;
  here.surfaces = {sphere(Vec3(0, 1, 0), 1), cube(Vec3(1.5, 0.5, 0), 0.5)};
  here.planes = {Ground{}};
  Picture there = here;
  // A power of ten and whole cells of the grid: the lines fall on the same places.
  const double scale = 1000;
  const Vec3 shift(20000, -3000, 5000);
  for (Surface& surface : there.surfaces)
    surface.points = (scale * surface.points).colwise() + shift;
  there.planes[0].point = shift;
  const std::vector<Eigen::AlignedBox3d> box = {{Vec3(-1, 0, -1), Vec3(2, 2, 1)}};
  here.camera = there.camera = fit_camera(box, 16.0 / 9);
  there.camera.eye = scale * here.camera.eye + shift;
  there.camera.target = scale * here.camera.target + shift;
  const Image a = render(here, small()), b = render(there, small());
  double difference = 0;
  for (std::size_t i = 0; i < a.rgb.size(); ++i) difference += std::abs(a.rgb[i] - b.rgb[i]);
  EXPECT_LT(difference / static_cast<double>(a.rgb.size()), 0.2);
}

TEST(Renderer, AScalarIsShownInTheColoursOfTheMap) {
  Picture picture;
  picture.surfaces = {cube(Vec3::Zero(), 1)};
  picture.surfaces[0].scalar.assign(8, 1.0F);
  picture.camera = looking_at_origin(Vec3(0, 0, 6));
  const Image yellow = render(picture, small());
  const std::size_t middle = 3 * (45 * 160 + 80);
  EXPECT_GT(yellow.rgb[middle], yellow.rgb[middle + 2] + 60);
  picture.surfaces[0].scalar.assign(8, 0.0F);
  const Image purple = render(picture, small());
  EXPECT_GT(purple.rgb[middle + 2], purple.rgb[middle + 1] + 15);
}

TEST(Renderer, APlaneSeenFromBehindIsNotDrawn) {
  Picture picture;
  picture.camera = looking_at_origin(Vec3(0, 1, 5));
  const Image open = render(picture, small());
  picture.planes = {Ground{Vec3(0, 0, 2), -Vec3::UnitZ()}};
  EXPECT_EQ(render(picture, small()).rgb, open.rgb);
  picture.planes = {Ground{Vec3(0, 0, 2), Vec3::UnitZ()}};
  EXPECT_NE(render(picture, small()).rgb, open.rgb);
}

double error(const Image& image, const Image& reference) {
  double sum = 0;
  for (std::size_t i = 0; i < image.rgb.size(); ++i)
    sum += std::pow(image.rgb[i] - reference.rgb[i], 2.0);
  return sum / static_cast<double>(image.rgb.size());
}

TEST(Renderer, DenoisingBringsThePictureNearerToOneWithManySamples) {
  // In the shade most light has bounced, which is where the noise is.
  Picture picture = ball_over_floor();
  picture.surfaces.push_back(cube(Vec3(-1.2, 1, 0), 1));
  picture.camera.eye = Vec3(3, 3, 5);
  RenderSettings settings = small(160, 90, 256);
  settings.denoise = false;
  const Image reference = render(picture, settings);
  settings.samples = 8;
  const double noisy = error(render(picture, settings), reference);
  settings.denoise = true;
  EXPECT_LT(error(render(picture, settings), reference), 0.5 * noisy);
}

TEST(Renderer, WrongInputIsRejectedWithASentence) {
  const Picture good = ball_over_floor();
  RenderSettings settings = small();
  settings.samples = 0;
  EXPECT_THROW(render(good, settings), InputError);
  settings = small(0, 90);
  EXPECT_THROW(render(good, settings), InputError);

  Picture bad = good;
  bad.surfaces[0].triangles.push_back({0, 1, 100000});
  EXPECT_THROW(render(bad, small()), InputError);
  bad = good;
  bad.surfaces[0].points(1, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(render(bad, small()), InputError);
  bad = good;
  bad.surfaces[0].scalar = {0.5F};
  EXPECT_THROW(render(bad, small()), InputError);
  bad = good;
  bad.camera.target = bad.camera.eye;
  EXPECT_THROW(render(bad, small()), InputError);
  bad = good;
  bad.planes[0].normal.setZero();
  EXPECT_THROW(render(bad, small()), InputError);
}

TEST(GroundPattern, TheGridSpacingIsARoundNumberNearAQuarterOfTheScene) {
  EXPECT_DOUBLE_EQ(grid_spacing(4), 1);
  EXPECT_DOUBLE_EQ(grid_spacing(0.09), 0.02);
  EXPECT_DOUBLE_EQ(grid_spacing(30), 5);
  EXPECT_DOUBLE_EQ(grid_spacing(39), 5);
  EXPECT_DOUBLE_EQ(grid_spacing(400), 100);
}

TEST(GroundPattern, LinesLieOnMultiplesOfTheSpacing) {
  const Vec3 centre(10.3, 0, -4.7);
  const GroundPattern floor(Ground{}, centre, 0.5, 2);
  const auto brightness = [&](const Vec3& p) {
    const Vec3 unit = 0.5 * (p - centre);
    return floor.albedo(unit.cast<float>(), Eigen::Vector3f(0, -1, 0), 1e-3F).sum();
  };
  const float open = brightness(Vec3(11, 0, -5));
  EXPECT_LT(brightness(Vec3(12, 0, -5)), open);
  EXPECT_LT(brightness(Vec3(11, 0, -6)), open);
  EXPECT_EQ(brightness(Vec3(12.5, 0, -5.5)), open);
}

}  // namespace
}  // namespace dashpot
