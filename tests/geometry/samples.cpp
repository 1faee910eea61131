#include "tests/geometry/samples.h"

#include <algorithm>
#include <cmath>

namespace dashpot {
namespace {

// Only what Houdini writes into the body beside the data.
bool same_bodies(const Attribute& a, const Attribute& b) {
  for (const char* key : {"size", "storage", "strings", "dicts", "values", "indices"}) {
    const JsonValue *x = find_key(a.body, key), *y = find_key(b.body, key);
    if ((x == nullptr) != (y == nullptr) || (x && !same_value(*x, *y))) return false;
  }
  return true;
}

std::string difference(const Attribute& a, const Attribute& b) {
  if (a.owner != b.owner || a.name != b.name || a.type != b.type || a.kind != b.kind)
    return "identity of " + a.name + " / " + b.name;
  if (!same_value(a.definition, b.definition)) return "definition of " + a.name;
  if (!same_bodies(a, b)) return "body of " + a.name;
  if (a.data.tuple_size() != b.data.tuple_size()) return "tuple size of " + a.name;
  if (a.data.values().index() != b.data.values().index()) return "storage of " + a.name;
  if (a.data.value_count() != b.data.value_count()) return "length of " + a.name;
  for (std::size_t i = 0; i < a.data.value_count(); ++i)
    if (a.data.number(i) != b.data.number(i)) return "value " + std::to_string(i) + " of " + a.name;
  return "";
}

std::string difference(const PolygonList& a, const PolygonList& b) {
  if (a.starts != b.starts || a.vertices != b.vertices || a.primitives != b.primitives)
    return "polygons";
  return a.closed == b.closed ? "" : "closedness of polygons";
}

std::string difference_of_primitives(const Geometry& a, const Geometry& b) {
  if (a.primitives.size() != b.primitives.size()) return "runs";
  for (std::size_t i = 0; i < a.primitives.size(); ++i) {
    const PrimitiveRun &x = a.primitives[i], &y = b.primitives[i];
    if (x.kind != y.kind || x.first != y.first || x.count != y.count) return "kind of a run";
    const bool opaque = x.kind == PrimitiveRun::Kind::kOther;
    if (opaque && (!same_value(x.header, y.header) || !same_value(x.body, y.body)))
      return "content of " + x.type;
  }
  if (tets(a).tets != tets(b).tets || tets(a).primitives != tets(b).primitives) return "tets";
  return difference(polygons(a), polygons(b));
}

// The rest of the file. The index belongs to one binary file only.
std::string difference_of_sections(const Geometry& a, const Geometry& b) {
  for (const Section& section : a.sections) {
    const std::string& key = section.key.bytes;
    if (key == "hasindex" || key == "index" || key == "indexposition") continue;
    const JsonValue* other = find_section(b, key);
    if (!other || !same_value(section.value, *other)) return "section " + key;
  }
  return "";
}

std::string difference_of_groups(const Geometry& a, const Geometry& b) {
  if (a.groups.size() != b.groups.size()) return "number of groups";
  for (std::size_t i = 0; i < a.groups.size(); ++i) {
    const Group &x = a.groups[i], &y = b.groups[i];
    if (x.owner != y.owner || x.name != y.name || x.ordered != y.ordered ||
        members(x) != members(y))
      return "group " + x.name;
  }
  return "";
}

}  // namespace

std::vector<std::filesystem::path> geometry_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.find("geo") != std::string::npos && name.find("classic") == std::string::npos)
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string difference(const Geometry& a, const Geometry& b) {
  if (a.point_count != b.point_count) return "number of points";
  if (a.primitive_count != b.primitive_count) return "number of primitives";
  if (a.vertex_points() != b.vertex_points()) return "vertices";
  if (a.attributes.size() != b.attributes.size()) return "number of attributes";
  for (std::size_t i = 0; i < a.attributes.size(); ++i)
    if (const std::string what = difference(a.attributes[i], b.attributes[i]); !what.empty())
      return what;
  if (const std::string what = difference_of_primitives(a, b); !what.empty()) return what;
  if (const std::string what = difference_of_groups(a, b); !what.empty()) return what;
  return difference_of_sections(a, b);
}

Geometry varied_geometry(int n) {
  Points points(3, n);
  for (int i = 0; i < n; ++i) points.col(i) = Vec3(0.1 * i, std::sin(i), -1.0 / (i + 1));
  std::vector<Tet> tets;
  for (int i = 0; i + 3 < n; i += 3) tets.push_back({i, i + 2, i + 1, i + 3});
  Geometry geometry = make_tet_geometry(points, tets);
  set_point_vectors(geometry, "v", 0.25 * points);
  const auto count = static_cast<std::size_t>(geometry.primitive_count);
  std::vector<std::int64_t> ids(count);
  for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<std::int64_t>(i) << 33;
  set_numeric(geometry, ElementClass::kPrimitive, "id", ids, 1);
  set_numeric(geometry, ElementClass::kVertex, "mask",
              std::vector<std::uint8_t>(4 * count, std::uint8_t{200}), 1);
  set_numeric(geometry, ElementClass::kDetail, "half", std::vector<Half>{to_half(0.5), to_half(-3)},
              2);
  set_group(geometry, Group::Class::kPoint, "pins", {0, 1, 2, n / 2, n - 1});
  set_group(geometry, Group::Class::kPrimitive, "soft", {1});
  set_group(geometry, Group::Class::kVertex, "corners", {0, 4, 8});
  return geometry;
}

}  // namespace dashpot
