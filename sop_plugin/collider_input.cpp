#include "sop_plugin/collider_input.h"

#include <GA/GA_Handle.h>
#include <GEO/GEO_PrimType.h>
#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_Detail.h>

#include <cmath>

#include "solver/base/error.h"
#include "solver/simulation/parameters.h"

namespace dashpot {
namespace {

double coefficient(const GU_Detail& detail, GA_Offset primitive, const std::string& token,
                   const std::string& where) {
  double value = 0;
  if (const Parameter* declared = find_parameter(token)) value = declared->number;
  const GA_ROHandleD of_detail(detail.findAttribute(GA_ATTRIB_DETAIL, token.c_str()));
  const GA_ROHandleD of_primitive(detail.findAttribute(GA_ATTRIB_PRIMITIVE, token.c_str()));
  if (of_detail.isValid()) value = of_detail.get(GA_Offset(0));
  if (of_primitive.isValid()) value = of_primitive.get(primitive);
  if (!(value >= 0) || !std::isfinite(value))
    throw InputError(where + ": " + token + " = " + std::to_string(value) +
                     " must be a number that is not negative.");
  return value;
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

}  // namespace

std::vector<ColliderGrid> read_colliders(const GU_Detail& detail, const std::string& description) {
  std::vector<ColliderGrid> colliders;
  for (GA_Size i = 0; i < detail.getNumPrimitives(); ++i) {
    const GA_Offset primitive = detail.primitiveOffset(GA_Index(i));
    if (detail.getPrimitiveTypeId(primitive) != GEO_PRIMVDB) continue;
    const auto* vdb = static_cast<const GEO_PrimVDB*>(detail.getPrimitive(primitive));
    const openvdb::GridBase::ConstPtr grid = vdb->getConstGridPtr();
    const std::string where = description + ", primitive " + std::to_string(i) + " (" +
                              std::string(vdb->getGridName()) + ")";
    if (grid->isType<openvdb::Vec3SGrid>() || grid->isType<openvdb::Vec3DGrid>()) {
      if (colliders.empty())
        throw InputError(where + ": a velocity must come after the level set that it belongs to.");
      colliders.back().velocity = grid;
    } else if (grid->getGridClass() == openvdb::GRID_LEVEL_SET) {
      colliders.push_back({where, grid, nullptr, coefficient(detail, primitive, "friction", where),
                           coefficient(detail, primitive, "restitution", where)});
    } else {
      throw InputError(where + ": it is no level set; use VDB from Polygons with a Distance VDB.");
    }
  }
  return colliders;
}

void hash_colliders(const std::vector<ColliderGrid>& colliders, Hash& hash) {
  for (const ColliderGrid& collider : colliders) {
    hash.add_value(collider.friction);
    hash.add_value(collider.restitution);
    hash_grid(*collider.distance, hash);
    if (collider.velocity) hash_grid(*collider.velocity, hash);
  }
}

}  // namespace dashpot
