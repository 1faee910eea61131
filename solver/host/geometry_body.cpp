#include "solver/host/geometry_body.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "solver/base/error.h"
#include "solver/host/contact_attributes.h"
#include "solver/host/geometry_attributes.h"

namespace dashpot {
namespace {

TetMesh checked_mesh(Points rest, std::vector<Tet> tets, const std::string& name,
                     const GeometryView& geometry) {
  const bool only_tets = static_cast<int>(tets.size()) == geometry.primitive_count();
  try {
    return make_tet_mesh(std::move(rest), std::move(tets), name);
  } catch (const InputError& error) {
    throw InputError(geometry.description() + ": " + error.what() +
                     (only_tets ? "" : " (Only tets, and their points, are counted.)"));
  }
}

// Where the points of the geometry are, and their rest shape.
struct PlacedPoints {
  Points position, rest;
};
PlacedPoints place_points(const GeometryView& geometry, const PlacePoints& place) {
  PlacedPoints placed;
  const auto position = vector_attribute(geometry, "P");
  if (!position) throw InputError(geometry.description() + ": there is no point attribute P.");
  placed.position = *position;
  placed.rest = *vector_attribute(geometry, rest_attribute(geometry));
  if (place) {
    place(placed.position);
    place(placed.rest);
  }
  return placed;
}

}  // namespace

const char* rest_attribute(const GeometryView& geometry) {
  for (const char* name : {"restP", "rest"})
    if (geometry.find(AttributeOwner::kPoint, name)) return name;
  return "P";
}

Body make_body(const GeometryView& geometry, const std::string& name, ElementFields fields,
               const BodyContact& contact, const PlacePoints& place, BodyPoints& points) {
  Body body;
  body.name = name;
  body.fields = std::move(fields);
  body.springs = read_springs(geometry, body.fields);
  std::vector<Tet> tets = partition_points(geometry, body.springs, points);
  const PlacedPoints placed = place_points(geometry, place);
  body.mesh =
      checked_mesh(columns(placed.rest, points.mesh_points), std::move(tets), name, geometry);
  body.position = columns(placed.position, points.mesh_points);
  body.velocity = Points::Zero(3, body.position.cols());
  points.embedding = embed(body.mesh, columns(placed.rest, points.embedded_points));
  points.loose_positions = columns(placed.position, points.loose_points);
  override_fields(geometry, points, body.mesh, body.fields);
  body.point_mass = spring_point_mass(geometry, points, body);
  body.contact = contact;
  body.friction = point_friction(geometry, points);
  read_contact_attributes(geometry, points, body);
  return body;
}

std::vector<int> free_points(const Body& body) {
  std::vector<bool> pinned(static_cast<std::size_t>(body.position.cols()), false);
  for (const Pin& pin : body.pins)
    for (const int i : pin.points) pinned[static_cast<std::size_t>(i)] = true;
  std::vector<int> free;
  for (std::size_t i = 0; i < pinned.size(); ++i)
    if (!pinned[i]) free.push_back(static_cast<int>(i));
  return free;
}

void add_velocity_attribute(const GeometryView& geometry, const BodyPoints& points,
                            const std::vector<int>& free, const Mat3& rotation, Body& body) {
  const auto velocity = vector_attribute(geometry, "v");
  if (!velocity) return;
  const Points v = rotation * columns(*velocity, points.mesh_points);
  for (const int i : free) body.velocity.col(i) += v.col(i);
}

Body read_geometry_body(const GeometryView& geometry, const std::string& name, ElementFields fields,
                        const BodyContact& contact, bool pin_all, BodyPoints& points) {
  Body body = make_body(geometry, name, std::move(fields), contact, {}, points);
  Pin pin;
  if (pin_all) {
    pin.points.resize(static_cast<std::size_t>(body.position.cols()));
    std::iota(pin.points.begin(), pin.points.end(), 0);
  } else {
    pin.points = points_pinned_by_attribute(geometry, points);
  }
  if (!pin.points.empty()) body.pins.push_back(std::move(pin));
  add_velocity_attribute(geometry, points, free_points(body), Mat3::Identity(), body);
  return body;
}

int first_to_jump(const Body& body, const Pin& pin, const Points& targets) {
  constexpr double kShareOfSize = 1e-3;
  const Points& x = body.position;
  const double size = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
  for (std::size_t i = 0; i < pin.points.size(); ++i)
    if ((x.col(pin.points[i]) - targets.col(static_cast<Eigen::Index>(i))).norm() >
        kShareOfSize * size)
      return pin.points[i];
  return -1;
}

Points target_positions(const GeometryView& geometry, int point_count) {
  if (geometry.point_count() != point_count)
    throw InputError(geometry.description() + ": it has " + std::to_string(geometry.point_count()) +
                     " points, but the body that follows it has " + std::to_string(point_count) +
                     "; targets must be the same geometry, animated.");
  if (const auto points = vector_attribute(geometry, "targetP")) return *points;
  if (const auto points = vector_attribute(geometry, "P")) return *points;
  throw InputError(geometry.description() + ": there is neither a point attribute targetP nor P.");
}

Points target_positions(const GeometryView& geometry, const GeometryView& body) {
  int count = body.point_count();
  if (geometry.point_count() < count) {
    int end = 0;  // behind the last point of a tet
    for (const Tet& tet : body.tets().tets)
      end = std::max(end, *std::max_element(tet.begin(), tet.end()) + 1);
    if (geometry.point_count() == end) count = end;
  }
  return target_positions(geometry, count);
}

}  // namespace dashpot
