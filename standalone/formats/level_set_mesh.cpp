#include "standalone/formats/level_set_mesh.h"

#include <openvdb/tools/VolumeToMesh.h>

#include "solver/base/error.h"
#include "standalone/formats/level_set_grid.h"
#include "standalone/formats/vdb_grids.h"

namespace dashpot {
namespace {

template <class Grid>
SurfaceMesh mesh_of(const Grid& grid, double adaptivity) {
  std::vector<openvdb::Vec3s> points;
  std::vector<openvdb::Vec3I> triangles;
  std::vector<openvdb::Vec4I> quads;
  openvdb::tools::volumeToMesh(grid, points, triangles, quads, 0.0, adaptivity);
  SurfaceMesh mesh;
  mesh.points.resize(3, static_cast<Eigen::Index>(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    mesh.points.col(static_cast<Eigen::Index>(i)) =
        Vec3(points[i].x(), points[i].y(), points[i].z());
  const auto add = [&](unsigned a, unsigned b, unsigned c) {
    mesh.triangles.push_back({static_cast<int>(a), static_cast<int>(c), static_cast<int>(b)});
  };
  for (const openvdb::Vec3I& t : triangles) add(t[0], t[1], t[2]);
  for (const openvdb::Vec4I& q : quads) {
    add(q[0], q[1], q[2]);
    add(q[0], q[2], q[3]);
  }
  return mesh;
}

}  // namespace

SurfaceMesh level_set_mesh(const LevelSetShape& shape, double adaptivity) {
  return mesh_of(*make_level_set(shape), adaptivity);
}

SurfaceMesh level_set_mesh(const std::filesystem::path& path, const std::string& grid,
                           double adaptivity) {
  for (const auto& candidate : read_vdb_grids(path)) {
    const bool wanted = grid.empty() ? candidate->getGridClass() == openvdb::GRID_LEVEL_SET
                                     : candidate->getName() == grid;
    if (!wanted) continue;
    if (const auto floats = openvdb::gridPtrCast<openvdb::FloatGrid>(candidate))
      return mesh_of(*floats, adaptivity);
    if (const auto doubles = openvdb::gridPtrCast<openvdb::DoubleGrid>(candidate))
      return mesh_of(*doubles, adaptivity);
  }
  throw InputError(path.string() + ": there is no level set in it.");
}

}  // namespace dashpot
