#include "standalone/formats/vdb_collider.h"

#include <openvdb/openvdb.h>

#include "solver/base/error.h"
#include "solver/contact/vdb_shape.h"
#include "standalone/formats/vdb_grids.h"

namespace dashpot {
namespace {

std::string names_of(const openvdb::GridPtrVec& grids) {
  std::string names;
  for (const auto& grid : grids) names += (names.empty() ? "'" : ", '") + grid->getName() + "'";
  return names.empty() ? "none" : names;
}

openvdb::GridBase::ConstPtr find_distance(const openvdb::GridPtrVec& grids, const std::string& name,
                                          const std::string& path) {
  openvdb::GridBase::ConstPtr scalar;
  for (const auto& grid : grids) {
    if (!name.empty() && grid->getName() == name) return grid;
    if (name.empty() && grid->getGridClass() == openvdb::GRID_LEVEL_SET) return grid;
    const bool is_scalar =
        grid->isType<openvdb::FloatGrid>() || grid->isType<openvdb::DoubleGrid>();
    if (is_scalar && !scalar) scalar = grid;
  }
  if (!name.empty())
    throw InputError(path + ": there is no grid '" + name + "' in it; its grids are " +
                     names_of(grids) + ".");
  // Its own complaint is better than one about the file.
  if (scalar) return scalar;
  throw InputError(path + ": there is no level set in it; its grids are " + names_of(grids) + ".");
}

}  // namespace

std::shared_ptr<const ColliderShape> read_vdb_collider(const std::vector<VdbColliderFile>& files,
                                                       const std::string& grid) {
  std::vector<VdbFrame> frames;
  for (const VdbColliderFile& file : files) {
    const openvdb::GridPtrVec grids = read_vdb_grids(file.path);
    VdbFrame frame;
    frame.time = file.time;
    frame.distance = find_distance(grids, grid, file.path.string());
    for (const auto& candidate : grids)
      if (candidate->getName() == "vel" || candidate->getName() == "v") frame.velocity = candidate;
    frames.push_back(frame);
  }
  return make_vdb_shape(frames, files.front().path.string());
}

}  // namespace dashpot
