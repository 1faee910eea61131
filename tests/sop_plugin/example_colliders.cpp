#include "tests/sop_plugin/example_colliders.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <sstream>

#include "GA/GA_Attribute.h"
#include "GEO/GEO_PrimVDB.h"
#include "GU/GU_Detail.h"
#include "standalone/files/frame_name.h"
#include "standalone/formats/level_set_grid.h"

namespace dashpot {
namespace {

constexpr double kSlabVoxel = 0.05;  // m

// Wide enough for a few frames of what is above it.
LevelSetShape slab(const Vec3& point, const Vec3& normal, const Scene& scene) {
  Eigen::AlignedBox3d bounds;
  for (const Body& body : scene.bodies)
    for (Eigen::Index i = 0; i < body.position.cols(); ++i)
      bounds.extend(Vec3(body.position.col(i)));
  const double reach = bounds.diagonal().norm() + 1, thickness = 8 * kSlabVoxel;
  const Vec3 below = bounds.center() - normal.dot(bounds.center() - point) * normal;
  LevelSetShape shape;
  shape.type = "box";
  shape.voxel_size = kSlabVoxel;
  shape.size = Vec3(reach, thickness, reach);
  shape.rotation = Eigen::Quaterniond::FromTwoVectors(Vec3::UnitY(), normal).toRotationMatrix();
  shape.translation = below - 0.5 * thickness * normal;
  return shape;
}

void place(openvdb::GridBase& grid, const RigidPose& pose) {
  openvdb::math::Mat4d matrix = openvdb::math::Mat4d::identity();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) matrix(c, r) = pose.rotation(r, c);  // rows are images
  matrix.setTranslation({pose.translation.x(), pose.translation.y(), pose.translation.z()});
  grid.transform().postMult(matrix);
}

openvdb::GridBase::Ptr velocities(const openvdb::FloatGrid& distance, const RigidPose& pose) {
  auto grid = openvdb::Vec3SGrid::create();
  grid->setTransform(distance.transform().copy());
  grid->setName("vel");
  auto accessor = grid->getAccessor();
  for (auto voxel = distance.cbeginValueOn(); voxel; ++voxel) {
    const openvdb::Vec3d at = grid->transform().indexToWorld(voxel.getCoord());
    const Vec3 v = pose.velocity_at({at.x(), at.y(), at.z()});
    accessor.setValue(voxel.getCoord(), openvdb::Vec3s(v.cast<float>().eval().data()));
  }
  return grid;
}

}  // namespace

std::vector<ExampleCollider> example_colliders(const SceneFile& file, int frame) {
  std::vector<ExampleCollider> list;
  for (std::size_t i = 0; i < file.scene.colliders.size(); ++i) {
    const SceneCollider& collider = file.scene.colliders[i];
    const ColliderSource& source = file.collider_sources[i];
    const RigidPose pose = pose_at(collider.motion, file.time_of(frame));
    const auto grid = make_level_set(
        source.plane ? slab(source.plane->first, source.plane->second, file.scene) : *source.shape);
    if (!source.plane) place(*grid, pose);  // planes in the examples move along themselves
    list.push_back({collider.collider.name, collider.collider.friction,
                    collider.collider.restitution, grid,
                    collider.motion.empty() ? nullptr : velocities(*grid, pose)});
  }
  return list;
}

void fill_colliders(const std::vector<ExampleCollider>& colliders, GU_Detail& detail) {
  for (const ExampleCollider& collider : colliders)
    for (const openvdb::GridBase::Ptr& grid : {collider.distance, collider.velocity})
      if (grid)
        detail.add_primitive(GEO_PRIMVDB, {},
                             std::make_shared<GEO_PrimVDB>(detail.next_primitive_offset(), grid));
  GA_Attribute* friction = detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_PRIMITIVE, "friction", 1);
  GA_Attribute* restitution =
      detail.addTuple(GA_STORE_REAL64, GA_ATTRIB_PRIMITIVE, "restitution", 1);
  GA_Index primitive = 0;
  for (const ExampleCollider& collider : colliders) {
    friction->set_number(detail.primitiveOffset(primitive), 0, collider.friction);
    restitution->set_number(detail.primitiveOffset(primitive), 0, collider.restitution);
    primitive += collider.velocity ? 2 : 1;
  }
}

bool any_moves(const SceneFile& file) {
  return std::any_of(file.scene.colliders.begin(), file.scene.colliders.end(),
                     [](const SceneCollider& collider) { return !collider.motion.empty(); });
}

std::string write_colliders(const SceneFile& file, int first, int last, const std::string& folder) {
  std::ostringstream tables;
  const std::string ending = any_moves(file) ? ".$F4.vdb" : ".vdb";
  for (int frame = first; frame <= (any_moves(file) ? last : first); ++frame)
    for (const ExampleCollider& collider : example_colliders(file, frame)) {
      openvdb::GridPtrVec grids = {collider.distance};
      if (collider.velocity) grids.push_back(collider.velocity);
      openvdb::io::File(folder + "/" + frame_name(collider.name + ending, frame)).write(grids);
      if (frame == first)
        tables << "[[collider]]\nname = \"" << collider.name << "\"\nvdb = \"" << collider.name
               << ending << "\"\nfriction = " << collider.friction
               << "\nrestitution = " << collider.restitution << "\n";
    }
  return tables.str();
}

}  // namespace dashpot
