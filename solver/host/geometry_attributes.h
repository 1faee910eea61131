#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/host/body_points.h"
#include "solver/host/geometry_view.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// What the attributes of a geometry say about a body. All throw InputError, naming the geometry,
// the attribute and the element, for values that cannot be used.

// Every prim parameter that the geometry has as an attribute, over what `fields` says: of
// primitives, else of points (the mean of a tet's corners; numbers only), else of the detail.
// Menus are given by token, as text, or by index.
void override_fields(const GeometryView& geometry, const BodyPoints& points, const TetMesh& mesh,
                     ElementFields& fields);

// The points of the mesh whose attribute `pintoanimation` is 1.
std::vector<int> points_pinned_by_attribute(const GeometryView& geometry, const BodyPoints& points);

// The attribute `friction` of the mesh's points. Empty if it is absent.
std::vector<double> point_friction(const GeometryView& geometry, const BodyPoints& points);

// A point attribute of three numbers, for all points of the geometry. Nothing if it is absent.
std::optional<Points> vector_attribute(const GeometryView& geometry, const std::string& name);

}  // namespace dashpot
