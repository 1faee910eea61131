#include "standalone/scene/body_reader.h"

#include <utility>
#include <vector>

#include "solver/base/error.h"
#include "solver/mesh/rest_shape.h"
#include "standalone/scene/geometry_attributes.h"
#include "standalone/scene/geometry_source.h"
#include "standalone/scene/initial_state.h"
#include "standalone/scene/parameter_values.h"
#include "standalone/scene/pin_reader.h"
#include "standalone/scene/ramp_reader.h"
#include "standalone/scene/table_reader.h"
#include "standalone/scene/target_motion.h"

namespace dashpot {
namespace {

std::vector<std::string> body_keys() {
  std::vector<std::string> keys = {"name",     "geometry",         "translate", "rotate", "scale",
                                   "velocity", "angularvelocity",  "pin",       "deform", "twist",
                                   "scramble", "velocitygradient", "targets"};
  for (const ParameterScope scope :
       {ParameterScope::kBody, ParameterScope::kPrim, ParameterScope::kPoint})
    for (std::string& token : tokens(scope)) keys.push_back(std::move(token));
  return keys;
}

Placement read_placement(const TableReader& body) {
  Placement placement;
  placement.translate = body.vector("translate").value_or(placement.translate);
  placement.rotate = body.vector("rotate").value_or(placement.rotate);
  const toml::node* scale = body.find("scale");
  if (scale && scale->is_number())
    placement.scale.setConstant(*body.number("scale"));
  else if (const auto v = body.numbers("scale", 3, "a number or three numbers [x, y, z]"))
    placement.scale = Vec3((*v)[0], (*v)[1], (*v)[2]);
  if ((placement.scale.array() <= 0).any()) body.fail("scale", "must be above 0");
  return placement;
}

TetMesh checked_mesh(Points rest, std::vector<Tet> tets, const std::string& name,
                     const BodySource& source) {
  try {
    return make_tet_mesh(std::move(rest), std::move(tets), name);
  } catch (const InputError& error) {
    const bool only_tets =
        static_cast<std::int64_t>(source.tet_primitives.size()) == source.geometry.primitive_count;
    throw InputError(source.description + ": " + error.what() +
                     (only_tets ? "" : " (Only tets, and their points, are counted.)"));
  }
}

std::vector<int> free_points(Eigen::Index count, const std::vector<Pin>& pins) {
  std::vector<bool> pinned(static_cast<std::size_t>(count), false);
  for (const Pin& pin : pins)
    for (const int i : pin.points) pinned[static_cast<std::size_t>(i)] = true;
  std::vector<int> free;
  for (std::size_t i = 0; i < pinned.size(); ++i)
    if (!pinned[i]) free.push_back(static_cast<int>(i));
  return free;
}

// The pinned points' centroid, else the centre of mass.
Vec3 deformation_center(const Body& body, const std::vector<double>& masses) {
  std::vector<int> pinned;
  for (const Pin& pin : body.pins)
    pinned.insert(pinned.end(), pin.points.begin(), pin.points.end());
  return pinned.empty() ? center_of_mass(body.position, masses) : centroid(body.position, pinned);
}

void apply_scramble(const toml::table& table, const std::string& owner, Points& points,
                    const std::vector<int>& free) {
  const auto mode = table["mode"].value<std::string>();
  if (mode == "collapse") {
    const TableReader reader(table, owner, {"mode"});
    collapse(points, free);
    return;
  }
  const TableReader reader(table, owner, {"mode", "seed", "size"});
  if (mode != "randomize") {
    reader.require("mode");
    reader.fail("mode", "must be \"collapse\" or \"randomize\"");
  }
  const int seed = reader.whole_number("seed").value_or(1);
  if (seed < 0) reader.fail("seed", "must not be negative");
  randomize(points, free, reader.positive_number("size").value_or(1.0),
            static_cast<std::uint64_t>(seed));
}

void apply_twist(const toml::table& table, const std::string& owner, Points& points,
                 const std::vector<int>& free, const Vec3& center) {
  const TableReader reader(table, owner, {"axis", "degrees"});
  reader.require("degrees");
  const Vec3 axis = reader.vector("axis").value_or(Vec3::UnitY());
  if (axis.norm() == 0) reader.fail("axis", "must not be zero");
  twist(points, free, center, axis, *reader.number("degrees"));
}

void apply_initial_deformation(const TableReader& reader, const std::vector<int>& free,
                               const std::vector<double>& masses, Body& body) {
  const Vec3 center = deformation_center(body, masses);
  if (const auto map = reader.matrix("deform")) deform(body.position, free, center, *map);
  if (const auto* table = reader.table("twist", "a table { axis = [x, y, z], degrees = 90 }"))
    apply_twist(*table, reader.owner() + " twist", body.position, free, center);
  if (const auto* table = reader.table("scramble", "a table { mode = \"collapse\" }"))
    apply_scramble(*table, reader.owner() + " scramble", body.position, free);
}

Points read_velocity(const TableReader& reader, const std::vector<int>& free,
                     const std::vector<double>& masses, const Points& position) {
  return initial_velocity(position, free, center_of_mass(position, masses),
                          reader.vector("velocity").value_or(Vec3::Zero()),
                          reader.vector("angularvelocity").value_or(Vec3::Zero()),
                          reader.matrix("velocitygradient").value_or(Mat3::Zero()));
}

// Where the points of the geometry are, and their rest shape: restP, else rest, else P.
struct PlacedPoints {
  Points position, rest;
};
PlacedPoints place_points(const BodySource& source, const Placement& placement) {
  PlacedPoints placed;
  const auto position = vector_attribute(source, "P");
  if (!position) throw InputError(source.description + ": there is no point attribute P.");
  placed.position = placed.rest = *position;
  for (const char* name : {"rest", "restP"})
    if (const auto rest = vector_attribute(source, name)) placed.rest = *rest;
  placement.apply(placed.position);
  placement.apply(placed.rest);
  return placed;
}

Points columns(const Points& points, const std::vector<int>& listed) {
  Points result(3, static_cast<Eigen::Index>(listed.size()));
  for (std::size_t i = 0; i < listed.size(); ++i)
    result.col(static_cast<Eigen::Index>(i)) = points.col(listed[i]);
  return result;
}

}  // namespace

Body read_body(const toml::table& table, const std::string& name, const SceneFile& file,
               BodySource& source) {
  const TableReader reader(table, "body '" + name + "'", body_keys());
  Body body;
  body.name = name;
  body.fields = read_element_fields(reader);
  body.damping_ramp = read_ramp(reader, parameter("dampingramp"));
  const Placement placement = read_placement(reader);

  read_geometry_source(reader, std::filesystem::path(file.path).parent_path(), source);
  std::vector<Tet> tets = partition_points(source);
  const PlacedPoints points = place_points(source, placement);
  body.mesh = checked_mesh(columns(points.rest, source.mesh_points), std::move(tets), name, source);
  body.position = columns(points.position, source.mesh_points);
  source.embedding = embed(body.mesh, columns(points.rest, source.embedded_points));
  source.loose_positions = columns(points.position, source.loose_points);
  override_fields(source, body.mesh, body.fields);
  body.friction = point_friction(source);
  body.pins = read_pins(reader, source, body.position);
  add_target_motion(reader, file, source, placement, body);

  const std::vector<int> free = free_points(body.position.cols(), body.pins);
  const std::vector<double> masses =
      lumped_mass(body.mesh, make_rest_shape(body.mesh),
                  body.fields.expand("massdensity", body.mesh.tet_count()));
  apply_initial_deformation(reader, free, masses, body);
  body.velocity = read_velocity(reader, free, masses, body.position);
  if (const auto velocity = vector_attribute(source, "v")) {
    const Points v = placement.rotation() * columns(*velocity, source.mesh_points);
    for (const int i : free) body.velocity.col(i) += v.col(i);
  }
  return body;
}

}  // namespace dashpot
