#include "standalone/geometry/geometry.h"

#include <algorithm>
#include <limits>

#include "solver/base/error.h"
#include "standalone/geometry/groups.h"
#include "standalone/geometry/primitives.h"
#include "standalone/geometry/schema.h"

namespace dashpot {
namespace {

template <class T>
JsonValue uniform(std::vector<T> values) {
  return UniformArray(std::move(values));
}

std::size_t rank_of(std::string_view key) {
  const auto* place = std::find(std::begin(kSectionOrder), std::end(kSectionOrder), key);
  return static_cast<std::size_t>(place - std::begin(kSectionOrder));
}

std::size_t rank_in_attributes(std::string_view key) {
  std::size_t rank = 0;
  for (const AttributeSection& section : kAttributeSections) {
    if (key == section.key) break;
    ++rank;
  }
  return rank;
}

template <class Rank>
void add_section(std::vector<Section>& sections, const char* key, const Rank& rank) {
  for (const Section& section : sections)
    if (section.key.bytes == key) return;
  const auto place = std::find_if(sections.begin(), sections.end(), [&](const Section& section) {
    return rank(section.key.bytes) > rank(key);
  });
  sections.insert(place, Section{{key, TextForm::kToken}, JsonValue()});
}

template <class Table, class Class>
std::size_t place_of(const Table& table, Class owner) {
  std::size_t place = 0;
  for (const auto& section : table) {
    if (section.owner == owner) break;
    ++place;
  }
  return place;
}

// Behind the last of its class, as reading the file again would have it.
template <class Item, class Place>
void insert_in_order(std::vector<Item>& items, Item item, const Place& place) {
  const auto before = std::find_if(items.begin(), items.end(),
                                   [&](const Item& other) { return place(other) > place(item); });
  items.insert(before, std::move(item));
}

JsonValue* section_value(Geometry& geometry, std::string_view key) {
  return const_cast<JsonValue*>(find_section(geometry, key));
}

// The index may hold offsets into the file, for packed geometry; they are lost with any change.
void forget_index(Geometry& geometry) {
  const auto is_index = [](const Section& section) {
    return section.key.bytes == "index" || section.key.bytes == "indexposition";
  };
  auto& sections = geometry.sections;
  sections.erase(std::remove_if(sections.begin(), sections.end(), is_index), sections.end());
  if (JsonValue* has_index = section_value(geometry, "hasindex")) *has_index = false;
}

void add(JsonMap& map, const char* key, JsonValue value) {
  MapEntry entry;
  entry.key.bytes = key;
  entry.value = std::move(value);
  map.push_back(std::move(entry));
}

JsonMap type_options(const char* meaning) {
  JsonMap type, options;
  if (!meaning) return options;
  add(type, "type", "string");
  add(type, "value", meaning);
  add(options, "type", std::move(type));
  return options;
}

Attribute make_numeric(ElementClass owner, std::string_view name, NumericData data) {
  const char* meaning = nullptr;
  if (name == "P") meaning = "point";
  if (name == "v" && data.tuple_size() == 3) meaning = "vector";
  const bool real = data.storage()[0] == 'f';
  const JsonArray defaults{
      "size",    1,
      "storage", real ? "fpreal64" : "int64",
      "values",  real ? uniform(std::vector<double>{0}) : uniform(std::vector<std::int64_t>{0})};
  Attribute attribute{owner, std::string(name), "numeric", AttributeKind::kNumeric, {}, {}, {}};
  attribute.definition = JsonArray{"scope",   "public",
                                   "type",    "numeric",
                                   "name",    Text{std::string(name)},
                                   "options", type_options(meaning)};
  attribute.body = JsonArray{"size",     data.tuple_size(), "storage", data.storage(),
                             "defaults", defaults,          "values",  JsonValue()};
  attribute.data = std::move(data);
  return attribute;
}

void update_bounds(Geometry& geometry, const Points& points) {
  JsonValue* info = section_value(geometry, "info");
  JsonValue* bounds = info ? find_key(*info, "bounds") : nullptr;
  if (!bounds || points.cols() == 0) return;
  const Vec3 low = points.rowwise().minCoeff(), high = points.rowwise().maxCoeff();
  std::vector<float> values;
  for (int c = 0; c < 3; ++c)
    values.insert(values.end(), {static_cast<float>(low[c]), static_cast<float>(high[c])});
  *bounds = uniform(std::move(values));
}

// Houdini notes the ranges of some attributes; they would be wrong now.
void forget_ranges(Geometry& geometry) {
  JsonValue* info = section_value(geometry, "info");
  JsonMap* map = info ? info->map() : nullptr;
  if (!map) return;
  const auto is_ranges = [](const MapEntry& entry) {
    return entry.key.bytes == "attribute_ranges";
  };
  map->erase(std::remove_if(map->begin(), map->end(), is_ranges), map->end());
}

template <class T>
std::vector<T> packed_columns(const Points& points, std::int64_t tuple_size) {
  std::vector<T> values(static_cast<std::size_t>(points.cols() * tuple_size), T{1});
  for (Eigen::Index i = 0; i < points.cols(); ++i)
    for (Eigen::Index c = 0; c < 3; ++c)
      values[static_cast<std::size_t>(i * tuple_size + c)] = static_cast<T>(points(c, i));
  return values;
}

void set_columns(Geometry& geometry, std::string_view name, const Points& points,
                 std::int64_t tuple_size, Precision precision) {
  if (points.cols() != geometry.point_count)
    throw InputError("point attribute '" + std::string(name) + "' was given " +
                     std::to_string(points.cols()) + " values for " +
                     std::to_string(geometry.point_count) + " points; give one per point");
  const bool single = precision == Precision::kSingle;
  set_numeric(geometry, ElementClass::kPoint, name,
              single ? UniformArray(packed_columns<float>(points, tuple_size))
                     : UniformArray(packed_columns<double>(points, tuple_size)),
              tuple_size);
}

}  // namespace

Geometry::Geometry() {
  for (const char* key : {"fileversion", "hasindex", "pointcount", "vertexcount", "primitivecount",
                          "info", "topology", "attributes", "primitives"})
    sections.push_back({{key, TextForm::kToken}, {}});
  *section_value(*this, "fileversion") = "19.5.493";
  *section_value(*this, "hasindex") = false;
  JsonMap info;
  add(info, "software", "Dashpot");
  add(info, "bounds", uniform(std::vector<float>(6)));
  *section_value(*this, "info") = std::move(info);
  topology = JsonArray{"pointref", JsonArray{"indices", JsonValue()}};
}

const std::vector<std::int32_t>& Geometry::vertex_points() const {
  return std::get<std::vector<std::int32_t>>(topology_points);
}

void Geometry::set_vertex_points(std::vector<std::int32_t> points) {
  topology_as_it_came = JsonValue();
  // Houdini's rule; the values must fit, too.
  const auto fits = [](std::int32_t point) {
    return point <= std::numeric_limits<std::int16_t>::max();
  };
  if (points.size() <= static_cast<std::size_t>(std::numeric_limits<std::int16_t>::max()) &&
      std::all_of(points.begin(), points.end(), fits))
    topology_as_it_came = uniform(std::vector<std::int16_t>(points.begin(), points.end()));
  topology_points = std::move(points);
}

std::int64_t Geometry::vertex_count() const {
  return static_cast<std::int64_t>(vertex_points().size());
}

std::int64_t Geometry::element_count(ElementClass owner) const {
  switch (owner) {
    case ElementClass::kVertex:
      return vertex_count();
    case ElementClass::kPoint:
      return point_count;
    case ElementClass::kPrimitive:
      return primitive_count;
    default:
      return 1;
  }
}

const Attribute* find_attribute(const Geometry& geometry, ElementClass owner,
                                std::string_view name) {
  for (const Attribute& attribute : geometry.attributes)
    if (attribute.owner == owner && attribute.name == name) return &attribute;
  return nullptr;
}

Attribute* find_attribute(Geometry& geometry, ElementClass owner, std::string_view name) {
  return const_cast<Attribute*>(find_attribute(std::as_const(geometry), owner, name));
}

const Group* find_group(const Geometry& geometry, Group::Class owner, std::string_view name) {
  for (const Group& group : geometry.groups)
    if (group.owner == owner && group.name == name) return &group;
  return nullptr;
}

const JsonValue* find_section(const Geometry& geometry, std::string_view key) {
  for (const Section& section : geometry.sections)
    if (section.key.bytes == key) return &section.value;
  return nullptr;
}

std::vector<std::string_view> strings(const Attribute& attribute) {
  const JsonValue* table = find_key(attribute.body, "strings");
  if (!table) return {};
  return text_list(*table).value_or(std::vector<std::string_view>());
}

std::string_view string_of(const Attribute& attribute, std::size_t element) {
  const auto width = static_cast<std::size_t>(attribute.data.tuple_size());
  if (width == 0 || attribute.kind != AttributeKind::kString) return {};
  const double index = attribute.data.number(element * width);
  const JsonValue* table = find_key(attribute.body, "strings");
  if (index < 0 || !table) return {};
  const auto i = static_cast<std::size_t>(index);
  if (const JsonArray* array = table->array()) return (*array)[i].text()->bytes;
  return std::get<TextArray>(*table->uniform()).texts[i];
}

std::vector<std::vector<double>> array_lists(const Attribute& attribute) {
  std::vector<std::vector<double>> lists;
  const JsonValue* values = find_key(attribute.body, "values");
  if (attribute.kind != AttributeKind::kArray || !values || !values->array()) return lists;
  for (const JsonValue& list : *values->array())
    lists.push_back(std::get<std::vector<double>>(values_from(list, "fpreal64")));
  return lists;
}

Points positions(const Geometry& geometry) {
  const Attribute* attribute = find_attribute(geometry, ElementClass::kPoint, "P");
  if (!attribute) throw InputError("the geometry has no point attribute P; write the file again");
  return point_vectors(*attribute);
}

Points point_vectors(const Attribute& attribute) {
  const std::int64_t width = attribute.data.tuple_size();
  if (attribute.kind != AttributeKind::kNumeric || width < 3)
    throw InputError("point attribute '" + attribute.name +
                     "' has not three numbers per point; give it three components");
  Points points(3, static_cast<Eigen::Index>(attribute.data.value_count()) / width);
  std::visit(
      [&](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::vector<float>>) {
          for (Eigen::Index i = 0; i < points.cols(); ++i)
            for (Eigen::Index c = 0; c < 3; ++c)
              points(c, i) = double{values[static_cast<std::size_t>(i * width + c)]};
        } else {
          for (Eigen::Index i = 0; i < points.cols(); ++i)
            for (Eigen::Index c = 0; c < 3; ++c)
              points(c, i) = attribute.data.number(static_cast<std::size_t>(i * width + c));
        }
      },
      attribute.data.values());
  return points;
}

TetList tets(const Geometry& geometry) {
  TetList list;
  const std::vector<std::int32_t>& points = geometry.vertex_points();
  for (const PrimitiveRun& run : geometry.primitives) {
    if (run.kind != PrimitiveRun::Kind::kTets) continue;
    const std::vector<std::int64_t> vertices = vertices_of(run).vertices;
    for (std::size_t i = 0; i < vertices.size(); i += 4) {
      Tet tet;
      for (std::size_t c = 0; c < 4; ++c)
        tet[c] = points[static_cast<std::size_t>(vertices[i + c])];
      list.tets.push_back(tet);
      list.primitives.push_back(static_cast<std::int32_t>(run.first) +
                                static_cast<std::int32_t>(i / 4));
    }
  }
  return list;
}

PolygonList polygons(const Geometry& geometry) {
  PolygonList list;
  list.starts.push_back(0);
  for (const PrimitiveRun& run : geometry.primitives) {
    if (run.kind != PrimitiveRun::Kind::kPolygons) continue;
    const RunVertices vertices = vertices_of(run);
    list.vertices.insert(list.vertices.end(), vertices.vertices.begin(), vertices.vertices.end());
    for (std::size_t i = 0; i < vertices.counts.size(); ++i) {
      list.starts.push_back(list.starts.back() + static_cast<std::int32_t>(vertices.counts[i]));
      list.primitives.push_back(static_cast<std::int32_t>(run.first) +
                                static_cast<std::int32_t>(i));
      list.closed.push_back(vertices.closed[i]);
    }
  }
  return list;
}

void add_missing_sections(Geometry& geometry) {
  for (const AttributeSection& section : kAttributeSections)
    for (const Attribute& attribute : geometry.attributes)
      if (attribute.owner == section.owner)
        add_section(geometry.attribute_sections, section.key, rank_in_attributes);
  if (!geometry.attribute_sections.empty()) add_section(geometry.sections, "attributes", rank_of);
  for (const GroupSection& section : kGroupSections)
    for (const Group& group : geometry.groups)
      if (group.owner == section.owner) add_section(geometry.sections, section.key, rank_of);
}

void set_numeric(Geometry& geometry, ElementClass owner, std::string_view name, UniformArray values,
                 std::int64_t tuple_size) {
  NumericData data(std::move(values), tuple_size);
  const auto expected = static_cast<std::size_t>(geometry.element_count(owner) * tuple_size);
  if (tuple_size < 1 || data.value_count() != expected)
    throw InputError("attribute '" + std::string(name) + "' was given " +
                     std::to_string(data.value_count()) + " numbers instead of " +
                     std::to_string(expected) + "; give one tuple per element");
  forget_index(geometry);
  forget_ranges(geometry);
  Attribute* attribute = find_attribute(geometry, owner, name);
  if (!attribute) {
    insert_in_order(geometry.attributes, make_numeric(owner, name, std::move(data)),
                    [](const Attribute& a) { return place_of(kAttributeSections, a.owner); });
  } else if (attribute->kind != AttributeKind::kNumeric) {
    *attribute = make_numeric(owner, name, std::move(data));
  } else {
    if (JsonValue* size = find_key(attribute->body, "size")) *size = tuple_size;
    if (JsonValue* storage = find_key(attribute->body, "storage")) *storage = data.storage();
    attribute->data = std::move(data);
  }
  add_missing_sections(geometry);
}

void set_positions(Geometry& geometry, const Points& points, Precision precision) {
  const Attribute* old = find_attribute(geometry, ElementClass::kPoint, "P");
  const bool homogeneous =
      old && old->kind == AttributeKind::kNumeric && old->data.tuple_size() == 4;
  set_columns(geometry, "P", points, homogeneous ? 4 : 3, precision);
  update_bounds(geometry, points);
}

void set_point_vectors(Geometry& geometry, std::string_view name, const Points& vectors,
                       Precision precision) {
  set_columns(geometry, name, vectors, 3, precision);
}

void set_group(Geometry& geometry, Group::Class owner, std::string_view name,
               const std::vector<std::int32_t>& members) {
  std::int64_t count = geometry.point_count;
  if (owner == Group::Class::kVertex) count = geometry.vertex_count();
  if (owner == Group::Class::kPrimitive) count = geometry.primitive_count;
  Group group = make_group(owner, name, count, members);
  forget_index(geometry);
  if (const Group* old = find_group(geometry, owner, name)) {
    geometry.groups[static_cast<std::size_t>(old - geometry.groups.data())] = std::move(group);
  } else {
    insert_in_order(geometry.groups, std::move(group),
                    [](const Group& g) { return place_of(kGroupSections, g.owner); });
  }
  add_missing_sections(geometry);
}

Geometry make_tet_geometry(const Points& points, const std::vector<Tet>& tets) {
  Geometry geometry;
  geometry.point_count = points.cols();
  std::vector<std::int32_t> vertices;
  vertices.reserve(4 * tets.size());
  for (const Tet& tet : tets) vertices.insert(vertices.end(), tet.begin(), tet.end());
  geometry.set_vertex_points(std::move(vertices));
  geometry.primitive_count = static_cast<std::int64_t>(tets.size());
  if (!tets.empty())
    geometry.primitives.push_back({PrimitiveRun::Kind::kTets, "t_r", 0, geometry.primitive_count,
                                   JsonArray{"type", "t_r"},
                                   JsonArray{"s_v", 0, "n_p", geometry.primitive_count}});
  const double* numbers = points.data();
  set_numeric(geometry, ElementClass::kPoint, "P",
              std::vector<double>(numbers, numbers + points.size()), 3);
  update_bounds(geometry, points);
  return geometry;
}

}  // namespace dashpot
