#include "standalone/cli/geometry_info.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "solver/host/contact_attributes.h"
#include "solver/mesh/boundary.h"
#include "solver/mesh/quality.h"
#include "solver/parameters/parameters.h"
#include "standalone/formats/geometry_file.h"
#include "standalone/formats/mesh_reader.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/groups.h"
#include "standalone/geometry/schema.h"

namespace dashpot {
namespace {

const char* owner_name(ElementClass owner) {
  for (const AttributeSection& section : kAttributeSections)
    if (section.owner == owner) return section.name;
  return "";
}

std::string form_name(const FileForm& form) {
  std::string name = form.binary ? ".bgeo" : ".geo";
  if (form.compression == Compression::kScf) name += ".sc";
  if (form.compression == Compression::kGzip) name += ".gz";
  return "Houdini " + name;
}

std::string mesh_format_name(const std::string& extension) {
  static const std::map<std::string, std::string> names = {
      {".node", "TetGen .node/.ele"}, {".ele", "TetGen .node/.ele"}, {".msh", "Gmsh .msh"},
      {".mesh", "Medit .mesh"},       {".veg", "Vega .veg"},         {".t", "MeshFrame .t"}};
  return names.at(extension);
}

// Smallest and largest finite number of each component.
struct Ranges {
  explicit Ranges(std::size_t components)
      : low(components, std::numeric_limits<double>::infinity()),
        high(components, -std::numeric_limits<double>::infinity()) {}

  void add(std::size_t component, double value) {
    if (!std::isfinite(value)) {
      ++not_finite;
      return;
    }
    low[component] = std::min(low[component], value);
    high[component] = std::max(high[component], value);
  }
  void write(Json& json) const {
    const bool any = std::all_of(low.begin(), low.end(), [](double x) { return std::isfinite(x); });
    json["min"] = any && !low.empty() ? Json(low) : Json();
    json["max"] = any && !low.empty() ? Json(high) : Json();
    json["not_finite"] = not_finite;
  }

  std::vector<double> low, high;
  std::int64_t not_finite = 0;
};

void add_numbers(const Attribute& attribute, Json& json) {
  const auto width = static_cast<std::size_t>(attribute.data.tuple_size());
  Ranges ranges(width);
  for (std::size_t i = 0; i < attribute.data.value_count(); ++i)
    ranges.add(i % width, attribute.data.number(i));
  ranges.write(json);
}

void add_strings(const Attribute& attribute, Json& json) {
  const std::vector<std::string_view> table = strings(attribute);
  std::set<std::string> used;
  for (std::size_t i = 0; i < attribute.data.value_count(); ++i) {
    const double index = attribute.data.number(i);
    used.insert(index < 0 ? std::string() : std::string(table[static_cast<std::size_t>(index)]));
  }
  constexpr std::size_t kShown = 8;
  json["distinct"] = used.size();
  json["examples"] = Json::array();
  for (const std::string& text : used)
    if (json["examples"].size() < kShown) json["examples"].push_back(text);
}

void add_arrays(const Attribute& attribute, Json& json) {
  std::size_t numbers = 0;
  Ranges ranges(1);
  for (const std::vector<double>& list : array_lists(attribute)) {
    numbers += list.size();
    for (const double value : list) ranges.add(0, value);
  }
  json["numbers"] = numbers;
  ranges.write(json);
}

Json attribute_json(const Attribute& attribute) {
  Json json = {{"class", owner_name(attribute.owner)},
               {"name", attribute.name},
               {"type", attribute.type},
               {"decoded", attribute.kind != AttributeKind::kOpaque}};
  if (attribute.kind == AttributeKind::kNumeric || attribute.kind == AttributeKind::kString)
    json["size"] = attribute.data.tuple_size();
  if (attribute.kind == AttributeKind::kNumeric) json["storage"] = attribute.data.storage();
  if (const JsonValue* storage = find_key(attribute.body, "storage");
      attribute.kind == AttributeKind::kArray && storage && storage->text())
    json["storage"] = storage->text()->bytes;
  if (attribute.kind == AttributeKind::kNumeric) add_numbers(attribute, json);
  if (attribute.kind == AttributeKind::kString) add_strings(attribute, json);
  if (attribute.kind == AttributeKind::kArray) add_arrays(attribute, json);
  return json;
}

Json groups_json(const Geometry& geometry) {
  Json json = Json::array();
  for (const Group& group : geometry.groups) {
    const std::size_t each = group.owner == Group::Class::kEdge ? 2 : 1;
    json.push_back({{"class", class_name(group.owner)},
                    {"name", group.name},
                    {"size", members(group).size() / each},
                    {"ordered", group.ordered}});
  }
  return json;
}

Json quality_json(const QualityReport& report) {
  return {{"valid", !report.has_errors()},
          {"not_finite_points", report.not_finite_points},
          {"bad_index_tets", report.bad_index_tets},
          {"degenerate_tets", report.degenerate_tets},
          {"inverted_tets", report.inverted_tets},
          {"sliver_tets", report.sliver_tets},
          {"unreferenced_points", report.unreferenced_points},
          {"pieces", report.pieces},
          {"orientation", report.negative_orientation ? "negative" : "positive"},
          {"min_quality", report.min_quality},
          {"mean_quality", report.mean_quality},
          {"volume", report.volume},
          {"min_edge", report.min_edge},
          {"mean_edge", report.mean_edge},
          {"max_edge", report.max_edge},
          {"text", to_text(report)}};
}

Json primitive_types(const Geometry& geometry) {
  Json types = Json::object();
  for (const PrimitiveRun& run : geometry.primitives) {
    std::string type = run.type;
    if (run.kind == PrimitiveRun::Kind::kTets) type = "tets";
    if (run.kind == PrimitiveRun::Kind::kPolygons) type = "polygons";
    types[type] = types.value(type, std::int64_t{0}) + run.count;
  }
  return types;
}

// Which attributes a body made of this geometry takes its parameters and state from. The same
// order of precedence as in the scene reader.
Json used_attributes(const Geometry& geometry) {
  Json used = Json::array();
  const auto add = [&](ElementClass owner, const std::string& name, const std::string& use) {
    const Attribute* attribute = find_attribute(geometry, owner, name);
    if (attribute) used.push_back({{"class", owner_name(owner)}, {"name", name}, {"as", use}});
    return attribute != nullptr;
  };
  for (const Parameter& parameter : parameters()) {
    const std::string use = parameter.label;
    if (parameter.scope == ParameterScope::kPoint) add(ElementClass::kPoint, parameter.token, use);
    if (parameter.scope != ParameterScope::kPrim) continue;
    for (const ElementClass owner :
         {ElementClass::kPrimitive, ElementClass::kPoint, ElementClass::kDetail})
      if (add(owner, parameter.token, use)) break;
  }
  for (const Parameter& parameter : parameters())
    if (parameter.is_of_body_contact())
      for (const ElementClass owner : {ElementClass::kPrimitive, ElementClass::kDetail})
        if (add(owner, parameter.token, parameter.label)) break;
  add(ElementClass::kPoint, "friction", "multiplier of friction");
  const auto add_text = [&](const std::string& name, const std::string& use) {
    for (const ElementClass owner : {ElementClass::kPrimitive, ElementClass::kPoint})
      if (add(owner, name, use)) break;
  };
  add_text("name", "names of pieces");
  add_text(kNoContact, "names of what pieces do not collide with");
  add(ElementClass::kPoint, "targetP", "target positions of pinned points");
  add(ElementClass::kPoint, "v", "initial velocity");
  if (!add(ElementClass::kPoint, "restP", "rest shape"))
    add(ElementClass::kPoint, "rest", "rest shape");
  return used;
}

// Points of other primitives that no tet uses, and points of nothing.
void count_points(const Geometry& geometry, const std::vector<Tet>& tets, Json& json) {
  enum : std::uint8_t { kLoose, kEmbedded, kMesh };
  std::vector<std::uint8_t> part(static_cast<std::size_t>(geometry.point_count), kLoose);
  for (const std::int32_t point : geometry.vertex_points())
    part[static_cast<std::size_t>(point)] = kEmbedded;
  for (const Tet& tet : tets)
    for (const int point : tet) part[static_cast<std::size_t>(point)] = kMesh;
  json["embedded_points"] = std::count(part.begin(), part.end(), kEmbedded);
  json["loose_points"] = std::count(part.begin(), part.end(), kLoose);
}

bool has_positions(const Geometry& geometry) {
  const Attribute* attribute = find_attribute(geometry, ElementClass::kPoint, "P");
  return attribute && attribute->kind == AttributeKind::kNumeric &&
         attribute->data.tuple_size() >= 3;
}

void add_positions(const Geometry& geometry, Json& json) {
  json["bounds"] = Json();
  json["not_finite_points"] = 0;
  if (!has_positions(geometry)) return;
  const Points points = positions(geometry);
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  std::int64_t finite = 0;
  for (Eigen::Index p = 0; p < points.cols(); ++p) {
    if (!points.col(p).allFinite()) continue;
    ++finite;
    low = low.cwiseMin(points.col(p));
    high = high.cwiseMax(points.col(p));
  }
  if (finite > 0) json["bounds"] = {to_json(low), to_json(high)};
  json["not_finite_points"] = points.cols() - finite;
}

void add_tets(const Geometry& geometry, Json& json) {
  const std::vector<Tet> list = tets(geometry).tets;
  json["tets"] = list.size();
  if (list.empty()) return;
  count_points(geometry, list, json);
  json["boundary_triangles"] = boundary_surface(list).size();
  json["used_attributes"] = used_attributes(geometry);
  if (has_positions(geometry))
    json["quality"] = quality_json(inspect_mesh(positions(geometry), list));
}

}  // namespace

Json geometry_info(const std::string& path) {
  Json json = {{"file", path}};
  Geometry geometry;
  if (is_mesh_file(path)) {
    geometry = read_geometry_file(path);
    json["format"] = mesh_format_name(extension_of(path));
  } else {
    FileForm form;
    geometry = read_geometry(path, &form);
    json["format"] = form_name(form);
    const JsonValue* version = find_section(geometry, "fileversion");
    if (version && version->text()) json["houdini_version"] = version->text()->bytes;
  }
  json["points"] = geometry.point_count;
  json["vertices"] = geometry.vertex_count();
  json["primitives"] = geometry.primitive_count;
  json["primitive_types"] = primitive_types(geometry);
  add_positions(geometry, json);
  json["attributes"] = Json::array();
  for (const Attribute& attribute : geometry.attributes)
    json["attributes"].push_back(attribute_json(attribute));
  json["groups"] = groups_json(geometry);
  add_tets(geometry, json);
  json["warnings"] = geometry.warnings;
  if (!has_positions(geometry))
    json["warnings"].push_back(
        "there is no point attribute P of three numbers, so the points have no positions");
  return json;
}

}  // namespace dashpot
