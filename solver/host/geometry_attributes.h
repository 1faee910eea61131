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
// The lines of the geometry whose springstiffness is above 0, by attribute or, where there is none,
// by `fields`; in point numbers of the geometry.
Springs read_springs(const GeometryView& geometry, const ElementFields& fields);

// The point attribute mass, kg, for points of the mesh that no tet uses; 0 for the others. Empty
// without springs.
std::vector<double> spring_point_mass(const GeometryView& geometry, const BodyPoints& points,
                                      const Body& body);

std::vector<double> point_friction(const GeometryView& geometry, const BodyPoints& points);

// A point attribute of three numbers, for all points of the geometry. Nothing if it is absent.
std::optional<Points> vector_attribute(const GeometryView& geometry, const std::string& name);

}  // namespace dashpot
