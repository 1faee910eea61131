#include "standalone/scene/pin_reader.h"

#include <memory>
#include <numeric>

#include "solver/base/error.h"
#include "solver/host/geometry_attributes.h"
#include "standalone/scene/file_geometry_view.h"
#include "standalone/scene/initial_state.h"
#include "standalone/scene/motion_reader.h"
#include "standalone/scene/parameter_reader.h"

namespace dashpot {
namespace {

std::vector<int> points_in_box(const TableReader& pin, const Points& positions) {
  const toml::array* corners = pin.find("box")->as_array();
  const std::string meaning = "two corners [[x, y, z], [x, y, z]]";
  if (!corners || corners->size() != 2) pin.fail_type("box", meaning);
  Vec3 low, high;
  for (int c = 0; c < 2; ++c) {
    const toml::array* corner = (*corners)[static_cast<std::size_t>(c)].as_array();
    if (!corner || corner->size() != 3) pin.fail("box", "must be " + meaning);
    for (int axis = 0; axis < 3; ++axis) {
      const auto value = (*corner)[static_cast<std::size_t>(axis)].value<double>();
      if (!value) pin.fail("box", "must be " + meaning);
      (c == 0 ? low : high)[axis] = *value;
    }
  }
  // Negated so that a nan is refused, too.
  if (!(low.array() <= high.array()).all())
    pin.fail("box", "has its corners the wrong way round; write the smaller one first");
  std::vector<int> inside;
  for (Eigen::Index i = 0; i < positions.cols(); ++i) {
    const auto p = positions.col(i).array();
    if ((p >= low.array()).all() && (p <= high.array()).all())
      inside.push_back(static_cast<int>(i));
  }
  if (inside.empty())
    pin.fail("box", "contains no point of the body; it is tested after scale, rotate, translate");
  return inside;
}

// Members of the group that tets use.
std::vector<int> points_in_group(const TableReader& pin, const BodySource& source) {
  const std::string name = *pin.text("group");
  const Group* group = find_group(source.geometry, Group::Class::kPoint, name);
  std::vector<bool> in_group(static_cast<std::size_t>(source.geometry.point_count), false);
  if (group)
    for (const std::int32_t point : members(*group))
      in_group[static_cast<std::size_t>(point)] = true;
  std::vector<int> points;
  for (std::size_t i = 0; i < source.mesh_points.size(); ++i)
    if (in_group[static_cast<std::size_t>(source.mesh_points[i])])
      points.push_back(static_cast<int>(i));
  if (!points.empty()) return points;

  std::string list;
  for (const Group& other : source.geometry.groups)
    if (other.owner == Group::Class::kPoint) list += (list.empty() ? "" : ", ") + other.name;
  pin.fail("group", "names '" + name + "', which has no points of tets; the geometry's point " +
                        "groups are " + (list.empty() ? "none" : list));
}

Pin read_pin(const toml::table& table, const std::string& owner, const BodySource& source,
             const Points& positions) {
  const TableReader reader(table, owner, {"box", "group", "motion"});
  if (reader.has("box") == reader.has("group"))
    throw InputError(place_of(table.source()) + ": " + owner + " needs either box or group.");
  Pin pin;
  pin.points =
      reader.has("box") ? points_in_box(reader, positions) : points_in_group(reader, source);
  if (const toml::table* motion =
          reader.table("motion", "a table such as { velocity = [0, 1, 0] }"))
    pin.motion = std::make_shared<RigidMotion>(
        read_motion(*motion, owner + " motion", centroid(positions, pin.points)));
  return pin;
}

void refuse_double_pins(const TableReader& body, const std::vector<Pin>& pins, Eigen::Index count) {
  std::vector<bool> taken(static_cast<std::size_t>(count), false);
  for (const Pin& pin : pins) {
    for (const int i : pin.points) {
      if (taken[static_cast<std::size_t>(i)])
        body.fail("pin", "holds point " + std::to_string(i) +
                             " twice; let no two boxes or groups share a point");
      taken[static_cast<std::size_t>(i)] = true;
    }
  }
}

std::vector<Pin> read_pin_keys(const TableReader& body, const BodySource& source,
                               const Points& positions) {
  std::vector<Pin> pins;
  const std::string owner = body.owner() + " pin";
  if (body.has("pintoanimation") && read_parameter(body, parameter("pintoanimation")).number == 1) {
    if (body.has("pin"))
      body.fail("pin", "is not needed when pintoanimation = true pins every point");
    Pin all;
    all.points.resize(static_cast<std::size_t>(positions.cols()));
    std::iota(all.points.begin(), all.points.end(), 0);
    return {all};
  }
  const toml::node* node = body.find("pin");
  if (!node) return pins;
  const toml::array* array = node->as_array();
  if (const toml::table* table = node->as_table()) {
    pins.push_back(read_pin(*table, owner, source, positions));
  } else if (array && array->is_homogeneous(toml::node_type::table)) {
    for (const toml::node& entry : *array)
      pins.push_back(read_pin(*entry.as_table(), owner, source, positions));
  } else {
    body.fail_type("pin", "a table such as { box = [[0, 0, 0], [1, 1, 1]] } or an array of them");
  }
  refuse_double_pins(body, pins, positions.cols());
  return pins;
}

}  // namespace

std::vector<Pin> read_pins(const TableReader& body, const BodySource& source,
                           const Points& positions) {
  std::vector<Pin> pins = read_pin_keys(body, source, positions);
  std::vector<bool> taken(static_cast<std::size_t>(positions.cols()), false);
  for (const Pin& pin : pins)
    for (const int i : pin.points) taken[static_cast<std::size_t>(i)] = true;
  Pin by_attribute;
  const FileGeometryView geometry(source.geometry, source.description);
  for (const int i : points_pinned_by_attribute(geometry, source))
    if (!taken[static_cast<std::size_t>(i)]) by_attribute.points.push_back(i);
  if (!by_attribute.points.empty()) pins.push_back(std::move(by_attribute));
  return pins;
}

}  // namespace dashpot
