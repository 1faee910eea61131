#include "standalone/scene/body_reader.h"

#include <utility>
#include <vector>

#include "solver/base/error.h"
#include "solver/host/geometry_body.h"
#include "solver/host/node_ramp.h"
#include "solver/mesh/rest_shape.h"
#include "standalone/scene/file_geometry_view.h"
#include "standalone/scene/geometry_source.h"
#include "standalone/scene/initial_state.h"
#include "standalone/scene/parameter_reader.h"
#include "standalone/scene/pin_reader.h"
#include "standalone/scene/ramp_reader.h"
#include "standalone/scene/table_reader.h"
#include "standalone/scene/target_motion.h"

namespace dashpot {
namespace {

std::vector<std::string> body_keys() {
  std::vector<std::string> keys = {"name",     "geometry",         "translate", "rotate",   "scale",
                                   "velocity", "angularvelocity",  "pin",       "deform",   "twist",
                                   "scramble", "velocitygradient", "targets",   "nocontact"};
  for (const ParameterScope scope :
       {ParameterScope::kBody, ParameterScope::kPrim, ParameterScope::kPoint})
    for (std::string& token : tokens(scope)) keys.push_back(std::move(token));
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kCollider && p.is_of_body_contact()) keys.push_back(p.token);
  return keys;
}

// Somebody who knows the nodes might look for it.
void refuse_ramp_range(const toml::table& table, const std::string& body) {
  const Parameter& ramp = parameter("dampingramp");
  const toml::node* range = table.get(range_token(ramp));
  if (range)
    throw InputError(place_of(range->source()) + ": body '" + body + "': " + range_token(ramp) +
                     " is only of Houdini's nodes, whose ramps go from 0 to 1; keys of " +
                     ramp.token + " in a scene file are the stretches themselves.");
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
    if (!mode) reader.fail_type("mode", "\"collapse\" or \"randomize\"");
    reader.fail_choice("mode", "has no choice '" + *mode + "'", *mode, {"collapse", "randomize"});
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

}  // namespace

Body read_body(const toml::table& table, const std::string& name, const SceneFile& file,
               BodySource& source) {
  refuse_ramp_range(table, name);
  const TableReader reader(table, "body '" + name + "'", body_keys());
  const Placement placement = read_placement(reader);

  read_geometry_source(reader, std::filesystem::path(file.path).parent_path(), source);
  const FileGeometryView geometry(source.geometry, source.description);
  PlacePoints place;
  if (!placement.is_identity()) place = [&](Points& points) { placement.apply(points); };
  Body body = make_body(geometry, name, read_element_fields(reader), read_body_contact(reader),
                        place, source);
  body.no_contact = reader.texts("nocontact", "names of bodies, [\"shirt\", \"arm\"]")
                        .value_or(std::vector<std::string>());
  body.damping_ramp = read_ramp(reader, parameter("dampingramp"));
  body.pins = read_pins(reader, source, body.position);
  add_target_motion(reader, file, source, placement, body);

  const std::vector<int> free = free_points(body);
  const std::vector<double> masses =
      lumped_mass(body.mesh, make_rest_shape(body.mesh),
                  body.fields.expand("massdensity", body.mesh.tet_count()));
  apply_initial_deformation(reader, free, masses, body);
  body.velocity = read_velocity(reader, free, masses, body.position);
  add_velocity_attribute(geometry, source, free, placement.rotation(), body);
  return body;
}

}  // namespace dashpot
