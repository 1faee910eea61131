#pragma once

#include <functional>
#include <string>
#include <vector>

#include "solver/host/body_points.h"
#include "solver/host/geometry_view.h"
#include "solver/simulation/scene.h"

namespace dashpot {

// A body from a host's geometry: the steps that all hosts share, so that the same data gives the
// same bits everywhere.

// Moves points of the geometry to where they are in the world.
using PlacePoints = std::function<void(Points&)>;

// Mesh, initial positions and fields. The rest shape is restP, else rest, else P; attributes win
// over `fields` and `contact`. Pins and velocities are left to the caller. Throws InputError.
Body make_body(const GeometryView& geometry, const std::string& name, ElementFields fields,
               const BodyContact& contact, const PlacePoints& place, BodyPoints& points);

// The mesh points that no pin holds, ascending.
std::vector<int> free_points(const Body& body);

// Adds the attribute v, if there is one, to the velocities of the free points.
void add_velocity_attribute(const GeometryView& geometry, const BodyPoints& points,
                            const std::vector<int>& free, const Mat3& rotation, Body& body);

// The point attribute that is the rest shape: restP, else rest, else P.
const char* rest_attribute(const GeometryView& geometry);

// Everything, where the geometry itself is all there is to know: one pin holds the points that the
// attribute pintoanimation names, or all, at rest until the host gives it a motion.
Body read_geometry_body(const GeometryView& geometry, const std::string& name, ElementFields fields,
                        const BodyContact& contact, bool pin_all, BodyPoints& points);

// The first of a pin's points that is not where its first target is, and so would have to jump; -1
// if there is none. targets: of the pin's points.
int first_to_jump(const Body& body, const Pin& pin, const Points& targets);

// Target positions of all points of a geometry that must have `point_count` of them: targetP, else
// P. Throws InputError.
Points target_positions(const GeometryView& geometry, int point_count);

// The same for a body: of all its points, or of those of its tets if what was merged behind them is
// not in the geometry.
Points target_positions(const GeometryView& geometry, const GeometryView& body);

}  // namespace dashpot
