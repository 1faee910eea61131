#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "solver/simulation/scene.h"
#include "standalone/scene/body_source.h"

namespace dashpot {

// What the attributes of a geometry say about the body. All throw InputError, naming the file, the
// attribute and the element, for values that cannot be used.

// Sorts the points into those of tets, of other primitives, and of nothing; returns the tets, in
// point numbers of the mesh.
std::vector<Tet> partition_points(BodySource& source);

// Every prim parameter that the geometry has as an attribute, over what `fields` says: of
// primitives, else of points (the mean of a tet's corners; numbers only), else of the detail.
// Menus are given by token, as text, or by index.
void override_fields(const BodySource& source, const TetMesh& mesh, ElementFields& fields);

// The points of the mesh whose attribute `pintoanimation` is 1.
std::vector<int> points_pinned_by_attribute(const BodySource& source);

// The attribute `friction` of the mesh's points. Empty if it is absent.
std::vector<double> point_friction(const BodySource& source);

// A point attribute of three numbers, for all points of the geometry. Nothing if it is absent.
std::optional<Points> vector_attribute(const BodySource& source, std::string_view name);

}  // namespace dashpot
