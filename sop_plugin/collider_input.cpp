#include "sop_plugin/collider_input.h"

#include <GA/GA_Handle.h>
#include <GEO/GEO_PrimType.h>
#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_Detail.h>

#include <utility>

#include "solver/base/error.h"
#include "solver/base/hash.h"
#include "solver/contact/vdb_shape.h"
#include "solver/parameters/collider_coefficients.h"
#include "solver/parameters/parameters.h"
#include "sop_plugin/collider_grids.h"

namespace dashpot {
namespace {

Collider read_coefficients(const GU_Detail& detail, GA_Offset primitive, const Collider& defaults) {
  Collider collider = defaults;
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kCollider) continue;
    const char* token = p.token.c_str();
    const GA_ROHandleD of_detail(detail.findAttribute(GA_ATTRIB_DETAIL, token));
    const GA_ROHandleD of_primitive(detail.findAttribute(GA_ATTRIB_PRIMITIVE, token));
    ParameterValue value = p.coefficient.get(defaults);
    if (of_detail.isValid()) value.number = of_detail.get(GA_Offset(0));
    if (of_primitive.isValid()) value.number = of_primitive.get(primitive);
    p.coefficient.set(value, collider);
  }
  return collider;
}

// Nodes change the transform of their own grid in place, and its voxels too unless somebody else
// has the tree: a grid that is to outlive the lock needs its own transform and its share of the
// tree.
openvdb::GridBase::ConstPtr keep(const openvdb::GridBase& grid) {
  return grid.copyGridReplacingTransform(grid.transform().copy());
}

template <class Grid>
bool hash_values(const openvdb::GridBase& base, Hash& hash) {
  if (!base.isType<Grid>()) return false;
  const auto& grid = static_cast<const Grid&>(base);
  for (auto it = grid.cbeginValueOn(); it; ++it) {
    const openvdb::Coord at = it.getCoord();
    for (int axis = 0; axis < 3; ++axis) hash.add_value(at[axis]);
    const auto value = it.getValue();
    hash.add(&value, sizeof value);
  }
  return true;
}

void hash_grid(const openvdb::GridBase& grid, Hash& hash) {
  const auto map = grid.transform().baseMap()->getAffineMap()->getMat4();
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) hash.add_value(map(row, column));
  hash_values<openvdb::FloatGrid>(grid, hash) || hash_values<openvdb::DoubleGrid>(grid, hash) ||
      hash_values<openvdb::Vec3SGrid>(grid, hash) || hash_values<openvdb::Vec3DGrid>(grid, hash);
}

void hash_collider(const ColliderGrid& collider, Hash& hash) {
  hash_coefficients(collider.collider, hash);
  hash_grid(*collider.distance, hash);
  if (collider.velocity) hash_grid(*collider.velocity, hash);
}

bool differ(const ColliderGrid& one, const ColliderGrid& other) {
  Hash hash, other_hash;
  hash_collider(one, hash);
  hash_collider(other, other_hash);
  return hash.value() != other_hash.value();
}

}  // namespace

std::shared_ptr<const ColliderGrids> read_colliders(const GU_Detail& detail,
                                                    const std::string& description,
                                                    const Collider& defaults) {
  auto grids = std::make_shared<ColliderGrids>();
  std::vector<ColliderGrid>& list = grids->list;
  for (GA_Size i = 0; i < detail.getNumPrimitives(); ++i) {
    const GA_Offset primitive = detail.primitiveOffset(GA_Index(i));
    if (detail.getPrimitiveTypeId(primitive) != GEO_PRIMVDB) continue;
    const auto* vdb = static_cast<const GEO_PrimVDB*>(detail.getPrimitive(primitive));
    const std::string where = description + ", primitive " + std::to_string(i) + " (" +
                              std::string(vdb->getGridName()) + ")";
    if (!vdb->hasGrid())
      throw InputError(where +
                       ": the VDB has no grid; delete it, or look at the node that made it.");
    const openvdb::GridBase::ConstPtr grid = keep(*vdb->getConstGridPtr());
    if (grid->isType<openvdb::Vec3SGrid>() || grid->isType<openvdb::Vec3DGrid>()) {
      if (list.empty())
        throw InputError(where + ": a velocity must come after the level set that it belongs to.");
      list.back().velocity = grid;
    } else if (grid->getGridClass() == openvdb::GRID_LEVEL_SET) {
      Collider collider = read_coefficients(detail, primitive, defaults);
      check_coefficients(collider, where);
      collider.name = where;
      list.push_back({std::move(collider), grid, nullptr});
    } else {
      throw InputError(where + ": it is no level set; use VDB from Polygons with a Distance VDB.");
    }
  }
  return grids;
}

std::uint64_t collider_hash(const ColliderGrids& grids) {
  Hash hash;
  for (const ColliderGrid& collider : grids.list) hash_collider(collider, hash);
  return hash.value();
}

std::vector<Collider> make_colliders(const ColliderMoment& begin, const ColliderMoment& end) {
  const std::vector<ColliderGrid>&from = begin.grids->list, &to = end.grids->list;
  if (from.size() != to.size())
    throw InputError("the colliders' input has " + std::to_string(from.size()) +
                     " level sets at one frame and " + std::to_string(to.size()) +
                     " at the next; keep their number.");
  std::vector<Collider> colliders;
  for (std::size_t i = 0; i < to.size(); ++i) {
    std::vector<VdbFrame> frames;
    if (begin.grids != end.grids && differ(from[i], to[i]))
      frames.push_back({begin.time, from[i].distance, from[i].velocity});
    frames.push_back({end.time, to[i].distance, to[i].velocity});
    colliders.push_back(to[i].collider);
    colliders.back().shape = make_vdb_shape(frames, colliders.back().name);
  }
  return colliders;
}

}  // namespace dashpot
