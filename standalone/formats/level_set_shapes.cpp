#include "standalone/formats/level_set_shapes.h"

#include <openvdb/tools/SignedFloodFill.h>

#include <cmath>
#include <functional>

#include "solver/base/error.h"
#include "solver/base/words.h"
#include "solver/contact/vdb_shape.h"
#include "standalone/formats/level_set_grid.h"

namespace dashpot {
namespace {

constexpr double kBand = 3;  // voxels
constexpr double kMostVoxels = 4e8;
// Across the thinnest part: fewer leave no room for the slope of the distance on both sides.
constexpr double kFewestVoxels = 2, kGoodVoxels = 5;

double box_distance(const Vec3& p, const Vec3& half) {
  const Vec3 q = p.cwiseAbs() - half;
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

double cylinder_distance(const Vec3& p, double radius, double half) {
  const double r = std::hypot(p.x(), p.z()) - radius, y = std::abs(p.y()) - half;
  return std::hypot(std::max(r, 0.0), std::max(y, 0.0)) + std::min(std::max(r, y), 0.0);
}

// The part of a spherical shell below its rim, whose edge is round. The origin is halfway down.
double bowl_distance(const LevelSetShape& shape, const Vec3& p) {
  const double rim = shape.radius, depth = shape.height;
  const double radius = (rim * rim + depth * depth) / (2 * depth);
  const double x = std::hypot(p.x(), p.z()), y = p.y() - depth / 2;  // the rim is at (rim, 0)
  const double up = y - (radius - depth);                            // from the sphere's centre
  const bool below_rim = x * (depth - radius) >= up * rim;
  const double to_middle =
      below_rim ? std::abs(std::hypot(x, up) - radius) : std::hypot(x - rim, y);
  return to_middle - shape.thickness / 2;
}

// Neighbouring voxels must have different coordinates where the shape is.
void refuse_impossible_place(const LevelSetShape& shape) {
  constexpr double kMostVoxelsAway = 1e12;
  if (!((shape.translation / shape.voxel_size).array().abs() < kMostVoxelsAway).all())
    throw InputError("translate is not finite, or too far away for its voxels; move it nearer");
  if (!std::isfinite(shape.slope)) throw InputError("slope is not a finite number; correct it");
}

// Hills: waves of several lengths and directions.
double terrain_height(const LevelSetShape& shape, double x, double z) {
  double height = -shape.slope * x;
  unsigned state = static_cast<unsigned>(shape.seed) * 2654435761U + 12345U;
  const auto random = [&] {
    state = state * 1664525U + 1013904223U;
    return static_cast<double>(state >> 8) / (1 << 24);
  };
  for (int wave = 0; wave < 6; ++wave) {
    const double length = 2.4 / (1 + 0.6 * wave), angle = 6.283185307179586 * random();
    const double phase = 6.283185307179586 * (x * std::cos(angle) + z * std::sin(angle)) / length;
    height += 0.035 * length * std::sin(phase + 6.283185307179586 * random());
  }
  return height;
}

// Measured along the steepest way down, and not below the room's floor and walls.
double terrain_distance(const LevelSetShape& shape, const Vec3& p) {
  constexpr double kStep = 1e-4;
  const double height = terrain_height(shape, p.x(), p.z());
  const double dx = (terrain_height(shape, p.x() + kStep, p.z()) - height) / kStep;
  const double dz = (terrain_height(shape, p.x(), p.z() + kStep) - height) / kStep;
  return std::max((p.y() - height) / std::sqrt(1 + dx * dx + dz * dz),
                  box_distance(p, 0.5 * shape.size));
}

Vec3 bowl_half_size(const LevelSetShape& shape) {
  const double rim = shape.radius, depth = shape.height;
  const double widest = depth > rim ? (rim * rim + depth * depth) / (2 * depth) : rim;
  return Vec3(widest, depth / 2, widest).array() + shape.thickness / 2;
}

std::function<double(const Vec3&)> distance_of(const LevelSetShape& shape, Vec3& half) {
  if (shape.type == "sphere") {
    half.setConstant(shape.radius);
    return [&](const Vec3& p) { return p.norm() - shape.radius; };
  }
  if (shape.type == "bowl") {
    half = bowl_half_size(shape);
    return [&](const Vec3& p) { return bowl_distance(shape, p); };
  }
  half = 0.5 * shape.size;
  if (shape.type == "box") return [&](const Vec3& p) { return box_distance(p, 0.5 * shape.size); };
  if (shape.type == "terrain") return [&](const Vec3& p) { return terrain_distance(shape, p); };
  if (shape.type != "cylinder")
    throw InputError("there is no shape '" + shape.type + "'" +
                     did_you_mean(shape.type, {"sphere", "box", "cylinder", "bowl", "terrain"}));
  half = Vec3(shape.radius, 0.5 * shape.height, shape.radius);
  return [&](const Vec3& p) { return cylinder_distance(p, shape.radius, 0.5 * shape.height); };
}

}  // namespace

openvdb::FloatGrid::Ptr make_level_set(const LevelSetShape& shape) {
  openvdb::initialize();
  refuse_impossible_place(shape);
  Vec3 half;
  const auto distance = distance_of(shape, half);
  const double voxel = shape.voxel_size, band = kBand * voxel;
  const double thickness = shape.type == "bowl" ? shape.thickness : 2 * half.minCoeff();
  if (thickness < kFewestVoxels * voxel)
    throw InputError("the " + shape.type + " is " + exact(thickness) + " m thin, which voxels of " +
                     exact(voxel) +
                     " m cannot show; set voxelsize = " + rounded(thickness / kGoodVoxels) + ".");
  const Vec3 count = (half / voxel).array().ceil() + kBand + 1;
  if (8 * count.prod() > kMostVoxels)
    throw InputError("the " + shape.type + " needs too many voxels; make voxelsize larger.");

  auto grid = openvdb::FloatGrid::create(static_cast<float>(band));
  // Built along its own axes, then placed.
  openvdb::math::Mat4d matrix = openvdb::math::Mat4d::identity();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) matrix(c, r) = voxel * shape.rotation(r, c);  // rows are images
  matrix.setTranslation({shape.translation.x(), shape.translation.y(), shape.translation.z()});
  grid->setTransform(openvdb::math::Transform::createLinearTransform(matrix));
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  grid->setName("surface");
  auto accessor = grid->getAccessor();
  const int nx = static_cast<int>(count.x()), ny = static_cast<int>(count.y()),
            nz = static_cast<int>(count.z());
  for (int i = -nx; i <= nx; ++i)
    for (int j = -ny; j <= ny; ++j)
      for (int k = -nz; k <= nz;) {
        const double d = distance(voxel * Vec3(i, j, k));
        if (std::abs(d) < band) accessor.setValue({i, j, k}, static_cast<float>(d));
        // Distances change by no more than the way: what is far cannot come near at once.
        k += std::max(1, static_cast<int>(0.7 * (std::abs(d) - band) / voxel));
      }
  openvdb::tools::signedFloodFill(grid->tree());
  grid->pruneGrid();
  return grid;
}

std::shared_ptr<const ColliderShape> make_level_set_collider(const LevelSetShape& shape) {
  VdbFrame frame;
  frame.distance = make_level_set(shape);
  return make_vdb_shape({frame}, "the built-in " + shape.type);
}

}  // namespace dashpot
