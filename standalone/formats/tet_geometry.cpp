#include "standalone/formats/tet_geometry.h"

#include <utility>

#include "solver/mesh/tet_mesh.h"

namespace dashpot {

void orient(TetGeometry& geometry, Orientation orientation) {
  const double sign = orientation == Orientation::kPositive ? 1.0 : -1.0;
  std::int64_t right = 0, wrong = 0;
  for (const Tet& tet : geometry.tets) {
    const double volume = sign * signed_volume(geometry.points, tet);
    right += volume > 0.0 ? 1 : 0;
    wrong += volume < 0.0 ? 1 : 0;
  }
  if (wrong <= right) return;
  for (Tet& tet : geometry.tets) std::swap(tet[2], tet[3]);
}

Geometry to_geometry(const TetGeometry& tets) {
  Geometry geometry = make_tet_geometry(tets.points, tets.tets);
  for (const auto& [name, members] : tets.point_groups)
    set_group(geometry, Group::Class::kPoint, name, members);
  for (const auto& [name, members] : tets.tet_groups)
    set_group(geometry, Group::Class::kPrimitive, name, members);
  return geometry;
}

TetGeometry to_tet_geometry(const Geometry& geometry) {
  TetGeometry result;
  result.points = positions(geometry);
  TetList list = tets(geometry);
  result.tets = std::move(list.tets);
  std::vector<int> tet_of_primitive(static_cast<std::size_t>(geometry.primitive_count), -1);
  for (std::size_t t = 0; t < list.primitives.size(); ++t)
    tet_of_primitive[static_cast<std::size_t>(list.primitives[t])] = static_cast<int>(t);
  for (const Group& group : geometry.groups) {
    if (group.owner == Group::Class::kPoint) {
      result.point_groups[group.name] = members(group);
    } else if (group.owner == Group::Class::kPrimitive) {
      std::vector<int>& tets_in_group = result.tet_groups[group.name];
      for (const std::int32_t primitive : members(group))
        if (const int tet = tet_of_primitive[static_cast<std::size_t>(primitive)]; tet >= 0)
          tets_in_group.push_back(tet);
    }
  }
  return result;
}

}  // namespace dashpot
