#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "solver/base/types.h"
#include "standalone/geometry/json_value.h"
#include "standalone/geometry/numeric_data.h"

namespace dashpot {

// What a Houdini geometry file holds. Numbers are decoded; everything else stays as the file
// spelled it, with functions below that read it, so that nothing is lost on the way through.
// A file that was read and not changed is written back byte for byte.

enum class ElementClass { kVertex, kPoint, kPrimitive, kDetail };
constexpr ElementClass kAllClasses[] = {ElementClass::kVertex, ElementClass::kPoint,
                                        ElementClass::kPrimitive, ElementClass::kDetail};

enum class AttributeKind {
  kNumeric,  // `data` holds the values
  kString,   // `data` holds indices into strings(); negative means empty
  kDict,     // as kString, with maps for strings
  kArray,    // a list of numbers per element: array_lists()
  kOpaque,   // string arrays, capture weights and whatever is unknown
};

struct Attribute {
  ElementClass owner;
  std::string name;
  std::string type;  // Houdini's word: "numeric", "string", "arraydata", …
  AttributeKind kind;
  JsonValue definition;  // scope, type, name, options
  JsonValue body;        // size, storage, defaults …; null where `data` belongs
  NumericData data;
};

// Consecutive primitives that the file describes together.
struct PrimitiveRun {
  enum class Kind { kTets, kPolygons, kOther };
  Kind kind;
  std::string type;           // as in the file: "t_r", "Tetrahedron_run", "Poly", "Sphere", …
  std::int64_t first, count;  // primitive numbers
  JsonValue header, body;
};

struct Group {
  enum class Class { kVertex, kPoint, kPrimitive, kEdge };
  Class owner;
  std::string name;
  bool ordered;
  JsonValue header, body;
};

// A top-level entry of the file, or of its list of attributes. The value is null where a member
// of Geometry holds the content.
struct Section {
  Text key;
  JsonValue value;
};

struct Geometry {
  Geometry();  // empty, with the sections that every file has

  std::int64_t point_count = 0, primitive_count = 0;
  std::vector<Attribute> attributes;
  std::vector<PrimitiveRun> primitives;
  std::vector<Group> groups;
  std::vector<Section> sections, attribute_sections;
  std::vector<std::string> warnings;  // sentences: what was kept without being understood

  // The point of each vertex.
  const std::vector<std::int32_t>& vertex_points() const;
  void set_vertex_points(std::vector<std::int32_t> points);
  std::int64_t vertex_count() const;
  std::int64_t element_count(ElementClass owner) const;

  // The topology section around the point numbers, and those if the file stored them in another
  // type than int32.
  JsonValue topology, topology_as_it_came;
  UniformArray topology_points = std::vector<std::int32_t>();
};

// Null if there is none.
const Attribute* find_attribute(const Geometry& geometry, ElementClass owner,
                                std::string_view name);
Attribute* find_attribute(Geometry& geometry, ElementClass owner, std::string_view name);
const Group* find_group(const Geometry& geometry, Group::Class owner, std::string_view name);
const JsonValue* find_section(const Geometry& geometry, std::string_view key);

// The table of a string attribute; valid as long as the attribute.
std::vector<std::string_view> strings(const Attribute& attribute);
// The string of an element (the first, if it has several).
std::string_view string_of(const Attribute& attribute, std::size_t element);
// Of an array attribute, one list per element.
std::vector<std::vector<double>> array_lists(const Attribute& attribute);

// The first three components of P, m. Throws InputError without P.
Points positions(const Geometry& geometry);
// As positions(), of any numeric point attribute with at least three components.
Points point_vectors(const Attribute& attribute);

// Point numbers in file order and with the file's orientation, which in Houdini's own files is
// det[p1-p0, p2-p0, p3-p0] < 0.
struct TetList {
  std::vector<Tet> tets;
  std::vector<std::int32_t> primitives;  // the primitive number of each
};
TetList tets(const Geometry& geometry);

// Polygons, closed or open, in file order.
struct PolygonList {
  std::vector<std::int32_t> starts;      // into vertices; one more than there are polygons
  std::vector<std::int32_t> vertices;    // vertex numbers; see Geometry::vertex_points()
  std::vector<std::int32_t> primitives;  // the primitive number of each
  std::vector<bool> closed;
};
PolygonList polygons(const Geometry& geometry);

// Element numbers: ascending, or in the group's order if it is ordered. An edge group gives pairs
// of points.
std::vector<std::int32_t> members(const Group& group);

// Replaces the values, which must be `tuple_size` per element, or adds the attribute.
void set_numeric(Geometry& geometry, ElementClass owner, std::string_view name, UniformArray values,
                 std::int64_t tuple_size);
// fpreal32 or fpreal64
enum class Precision { kSingle, kDouble };

// P, and the bounds in the file's information. One column per point; in a fourth component 1 if P
// had one. Throws InputError if the count differs.
void set_positions(Geometry& geometry, const Points& points,
                   Precision precision = Precision::kSingle);
// A point attribute of three numbers, for example v. Marked as a vector if it is new.
void set_point_vectors(Geometry& geometry, std::string_view name, const Points& vectors,
                       Precision precision = Precision::kSingle);
// Replaces or adds an unordered group of vertices, points or primitives.
void set_group(Geometry& geometry, Group::Class owner, std::string_view name,
               const std::vector<std::int32_t>& members);

// A geometry of tets, oriented as they are given; P in double precision.
Geometry make_tet_geometry(const Points& points, const std::vector<Tet>& tets);

}  // namespace dashpot
