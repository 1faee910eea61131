#include "solver/mesh/shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>

#include "solver/base/error.h"
#include "solver/mesh/boundary.h"
#include "solver/mesh/quality.h"
#include "solver/mesh/tet_mesh.h"

namespace dashpot {
namespace {

using testing::StartsWith;

constexpr double kPi = 3.14159265358979323846;
constexpr double kRing = 0.8, kTube = 0.3;  // torus

double volume_of(const TetMesh& shape) {
  double volume = 0.0;
  for (const Tet& tet : shape.tets) volume += signed_volume(shape.rest, tet);
  return volume;
}

Vec3 centroid_of(const TetMesh& shape) {
  Vec3 moment = Vec3::Zero();
  for (const Tet& tet : shape.tets) {
    Vec3 middle = Vec3::Zero();
    for (const int p : tet) middle += 0.25 * shape.rest.col(p);
    moment += signed_volume(shape.rest, tet) * middle;
  }
  return moment / volume_of(shape);
}

std::set<int> boundary_points(const TetMesh& shape) {
  std::set<int> points;
  for (const Triangle& t : boundary_surface(shape.tets)) points.insert(t.begin(), t.end());
  return points;
}

struct Shape {
  const char* name;
  std::function<TetMesh(int)> make;  // by cells
  double volume;
  std::function<double(const Vec3&)> distance;  // to the surface
};

std::vector<Shape> curved_shapes() {
  return {
      {"sphere", [](int cells) { return make_sphere(0.7, cells); },
       4.0 / 3.0 * kPi * 0.7 * 0.7 * 0.7, [](const Vec3& p) { return p.norm() - 0.7; }},
      {"cylinder", [](int cells) { return make_cylinder(0.5, 1.5, cells); }, kPi * 0.25 * 1.5,
       [](const Vec3& p) {
         return std::max(std::hypot(p.x(), p.z()) - 0.5, std::abs(p.y()) - 0.75);
       }},
      {"torus", [](int cells) { return make_torus(kRing, kTube, cells); },
       2.0 * kPi * kPi * kRing * kTube * kTube,
       [](const Vec3& p) { return std::hypot(std::hypot(p.x(), p.z()) - kRing, p.y()) - kTube; }}};
}

TEST(Shapes, AreAcceptedBySolverAndKeepTheirOrientation) {
  for (const Shape& shape : curved_shapes())
    for (const int cells : {2, 3, 4, 5, 8, 11}) {
      const TetMesh mesh = shape.make(cells);
      const QualityReport report = inspect_mesh(mesh.rest, mesh.tets);
      EXPECT_FALSE(report.has_errors()) << shape.name << " " << cells << "\n" << to_text(report);
      EXPECT_FALSE(report.negative_orientation) << shape.name;
      EXPECT_EQ(report.pieces, 1) << shape.name;
      EXPECT_TRUE(report.unreferenced_points.empty()) << shape.name;
    }
}

TEST(Shapes, CurvedOnesHaveTetsOfGoodQuality) {
  for (const Shape& shape : curved_shapes())
    for (const int cells : {6, 7, 8, 13, 16, 24}) {
      const TetMesh mesh = shape.make(cells);
      const QualityReport report = inspect_mesh(mesh.rest, mesh.tets);
      EXPECT_GT(report.min_quality, 0.5) << shape.name << " " << cells;
      EXPECT_GT(report.mean_quality, 0.7) << shape.name << " " << cells;
      EXPECT_LT(report.max_edge, 4.0 * report.min_edge) << shape.name << " " << cells;
    }
}

TEST(Shapes, CurvedOnesHaveTheirBoundaryPointsOnTheSurface) {
  for (const Shape& shape : curved_shapes())
    for (const int cells : {2, 7, 12}) {
      const TetMesh mesh = shape.make(cells);
      for (const int p : boundary_points(mesh))
        ASSERT_NEAR(shape.distance(mesh.rest.col(p)), 0.0, 1e-12) << shape.name << " point " << p;
    }
}

TEST(Shapes, CurvedOnesConvergeToTheirVolumeWithSecondOrder) {
  for (const Shape& shape : curved_shapes()) {
    // Counts whose torus tube gets exactly 8 and 16 cells.
    const double coarse = shape.volume - volume_of(shape.make(30));
    const double fine = shape.volume - volume_of(shape.make(60));
    EXPECT_GT(fine, 0.0) << shape.name << ": inscribed";
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << shape.name;
    EXPECT_LT(fine, 0.02 * shape.volume) << shape.name;
  }
}

TEST(Shapes, WithEvenCellsAreMirrorImagesOfThemselves) {
  std::vector<Shape> shapes = curved_shapes();
  shapes.push_back({"box",
                    [](int cells) {
                      return make_box({1.0, 2.0, 3.0}, {cells, 2 * cells, 3 * cells});
                    },
                    0.0,
                    {}});
  for (const Shape& shape : shapes) {
    const TetMesh mesh = shape.make(6);
    EXPECT_LT(centroid_of(mesh).norm(), 1e-14) << shape.name;
    // A tet is identified by its middle: mirrored middles must be middles.
    const auto key = [&](const Tet& tet, const Vec3& sign) {
      std::array<long, 3> rounded;
      for (int a = 0; a < 3; ++a) {
        double sum = 0.0;
        for (const int p : tet) sum += mesh.rest(a, p);
        rounded[a] = std::lround(sign[a] * sum * 1e9);
      }
      return rounded;
    };
    std::set<std::array<long, 3>> middles;
    for (const Tet& tet : mesh.tets) middles.insert(key(tet, Vec3::Ones()));
    ASSERT_EQ(middles.size(), mesh.tets.size());
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 sign = Vec3::Ones();
      sign[axis] = -1.0;
      for (const Tet& tet : mesh.tets)
        ASSERT_EQ(middles.count(key(tet, sign)), 1u) << shape.name << " axis " << axis;
    }
  }
}

TEST(Box, HasItsSizeAndSixTetsPerCell) {
  const TetMesh box = make_box({1.0, 2.0, 4.0}, {2, 3, 5});
  EXPECT_EQ(box.rest.cols(), 3 * 4 * 6);
  EXPECT_EQ(box.tets.size(), 6u * 2 * 3 * 5);
  EXPECT_NEAR(volume_of(box), 8.0, 1e-13);
  EXPECT_TRUE(box.rest.rowwise().minCoeff().isApprox(Vec3(-0.5, -1.0, -2.0)));
  EXPECT_TRUE(box.rest.rowwise().maxCoeff().isApprox(Vec3(0.5, 1.0, 2.0)));
}

TEST(Box, FitsTogether) {
  for (const int n : {1, 2, 3, 4, 5}) {
    const TetMesh box = make_box({1.0, 1.0, 1.0}, {n, n, n});
    EXPECT_EQ(boundary_surface(box.tets).size(), 12u * n * n) << "every inner face is shared";
    EXPECT_NEAR(inspect_mesh(box.rest, box.tets).min_quality,
                12.0 * std::pow(0.5, 2.0 / 3.0) / 10.0, 1e-12);
  }
}

TEST(Sphere, HasCellsAcrossTheDiameter) {
  const TetMesh sphere = make_sphere(0.5, 8);
  EXPECT_EQ(sphere.tets.size(), 6u * 8 * 8 * 8);
  int on_axis = 0;
  for (Eigen::Index p = 0; p < sphere.rest.cols(); ++p)
    on_axis += sphere.rest.col(p).tail(2).norm() == 0.0 ? 1 : 0;
  EXPECT_EQ(on_axis, 9);
}

TEST(Cylinder, StandsAlongY) {
  const TetMesh cylinder = make_cylinder(0.5, 3.0, 6);
  EXPECT_EQ(cylinder.tets.size(), 6u * 6 * 6 * 18);
  EXPECT_DOUBLE_EQ(cylinder.rest.row(1).maxCoeff(), 1.5);
  EXPECT_DOUBLE_EQ(cylinder.rest.row(0).maxCoeff(), 0.5);
  EXPECT_DOUBLE_EQ(cylinder.rest.row(2).maxCoeff(), 0.5);
}

TEST(Cylinder, HasTwoLayersHoweverFlat) {
  EXPECT_EQ(make_cylinder(1.0, 0.01, 4).tets.size(), 6u * 4 * 4 * 2);
}

TEST(Torus, LiesInThePlaneOfXAndZ) {
  const TetMesh torus = make_torus(1.0, 0.3, 12);
  EXPECT_NEAR(torus.rest.row(0).maxCoeff(), 1.3, 1e-12);
  EXPECT_NEAR(torus.rest.row(0).minCoeff(), -1.3, 1e-12);
  EXPECT_NEAR(torus.rest.row(1).maxCoeff(), 0.3, 1e-12);
}

TEST(Torus, CountsCellsAcrossTheOuterDiameterButGivesTheTubeAtLeastFour) {
  // 52 cells on 2.6 m are 5 cm each: 12 across the tube, 124 (not 126) around its middle.
  EXPECT_EQ(make_torus(1.0, 0.3, 52).tets.size(), 6u * 12 * 12 * 124);
  EXPECT_EQ(make_torus(1.0, 0.3, 2).tets.size(), make_torus(1.0, 0.3, 17).tets.size());
}

TEST(ShapeRefusal, NamesTheKey) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    std::function<void()> make;
    const char* key;
  } cases[] = {
      {[] {
         make_box({1, 0, 1}, {1, 1, 1});
       },
       "size is 0"},
      {[=] {
         make_box({1, nan, 1}, {1, 1, 1});
       },
       "size is nan"},
      {[] {
         make_box({1, 1, 1}, {1, 0, 1});
       },
       "cells is 0"},
      {[] {
         make_box({1, 1, 1}, {100000, 100000, 1});
       },
       "cells would give"},
      {[] { make_sphere(-0.5, 8); }, "radius is -0.5"},
      {[] { make_sphere(0.5, 1); }, "cells is 1 but must be at least 2"},
      {[] { make_sphere(0.5, 2147483647); }, "cells would give"},
      {[] { make_cylinder(0, 1, 8); }, "radius is 0"},
      {[] { make_cylinder(1, -1, 8); }, "height is -1"},
      {[] { make_cylinder(1e-9, 1e9, 8); }, "cells would give"},
      {[] { make_cylinder(1, 1, 0); }, "cells is 0"},
      {[] { make_torus(1, 0, 8); }, "thickness is 0"},
      {[] { make_torus(1, 1, 8); }, "thickness is 1 but must be less than"},
      {[] { make_torus(-1, 0.3, 8); }, "radius is -1"},
      {[] { make_torus(1, 0.3, -4); }, "cells is -4"},
      {[] { make_torus(1, 1e-6, 8); }, "cells would give"},
  };
  for (const auto& bad : cases) {
    try {
      bad.make();
      ADD_FAILURE() << "accepted: " << bad.key;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith(bad.key));
    }
  }
}

}  // namespace
}  // namespace dashpot
