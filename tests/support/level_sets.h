#pragma once

#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>

#include "solver/contact/vdb_shape.h"

namespace dashpot {

// A narrow band, three voxels to each side, of distance(world) within a box, by sampling every
// voxel; all along the axes of a transform.
template <class Grid = openvdb::FloatGrid, class Distance>
typename Grid::Ptr sample_level_set(const Distance& distance, const Vec3& low, const Vec3& high,
                                    const openvdb::math::Transform::Ptr& transform, double band) {
  openvdb::initialize();
  using Value = typename Grid::ValueType;
  auto grid = Grid::create(static_cast<Value>(band));
  grid->setTransform(transform);
  grid->setGridClass(openvdb::GRID_LEVEL_SET);
  grid->setName("surface");
  openvdb::CoordBBox box;
  for (int corner = 0; corner < 8; ++corner) {
    const openvdb::Vec3d world(corner & 1 ? high.x() : low.x(), corner & 2 ? high.y() : low.y(),
                               corner & 4 ? high.z() : low.z());
    box.expand(openvdb::Coord::round(transform->worldToIndex(world)));
  }
  auto accessor = grid->getAccessor();
  for (auto c = box.begin(); c != box.end(); ++c) {
    const openvdb::Vec3d w = transform->indexToWorld(*c);
    const double d = distance(Vec3(w.x(), w.y(), w.z()));
    if (std::abs(d) < band) accessor.setValue(*c, static_cast<Value>(d));
  }
  openvdb::tools::signedFloodFill(grid->tree());
  return grid;
}

inline openvdb::math::Transform::Ptr cubes(double voxel) {
  return openvdb::math::Transform::createLinearTransform(voxel);
}

inline std::shared_ptr<const ColliderShape> still_shape(const openvdb::GridBase::ConstPtr& grid) {
  VdbFrame frame;
  frame.distance = grid;
  return make_vdb_shape({frame}, "test");
}

// Distance to a box about the origin. Level sets have to be closed: their sign is filled in from
// the outside.
inline double box_distance(const Vec3& p, const Vec3& half) {
  const Vec3 q = p.cwiseAbs() - half;
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

inline std::shared_ptr<const ColliderShape> box_shape(const Vec3& center, const Vec3& half,
                                                      double voxel) {
  const auto distance = [&](const Vec3& p) { return box_distance(p - center, half); };
  const Vec3 room = half + Vec3::Constant(4 * voxel);
  return still_shape(
      sample_level_set(distance, center - room, center + room, cubes(voxel), 3 * voxel));
}

// A slab, eight voxels thick, below y = height.
inline std::shared_ptr<const ColliderShape> level_floor(double height, double reach, double voxel) {
  return box_shape({0, height - 4 * voxel, 0}, {reach, 4 * voxel, reach}, voxel);
}

}  // namespace dashpot
