#include "standalone/geometry/geometry_reader.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "solver/base/error.h"
#include "standalone/files/read_file.h"
#include "standalone/geometry/groups.h"
#include "standalone/geometry/primitives.h"
#include "standalone/geometry/schema.h"

namespace dashpot {
namespace {

// A page of 1024 equal points takes twelve bytes: nothing real has more elements than this.
constexpr std::int64_t kElementsPerByte = 256;

class Decoder {
 public:
  explicit Decoder(OpenedFile& file)
      : tree_(file.json.tree),
        binary_(file.form.binary),
        payload_bytes_(file.payload_bytes),
        budget_(file.payload_bytes) {
    geometry_.sections.clear();
    if (file.json.unread_bytes > 0)
      geometry_.warnings.push_back("the file has " + std::to_string(file.json.unread_bytes) +
                                   " bytes behind its end, which are ignored");
  }

  Geometry decode() {
    take_sections(tree_, geometry_.sections, "geometry");
    geometry_.point_count = count("pointcount");
    geometry_.primitive_count = count("primitivecount");
    const std::int64_t vertices = count("vertexcount");
    topology(take("topology"), vertices);
    attributes(take("attributes"));
    primitives(take("primitives"));
    for (const GroupSection& section : kGroupSections) groups(take(section.key), section.owner);
    return std::move(geometry_);
  }

 private:
  static void take_sections(JsonValue& tree, std::vector<Section>& sections, const char* what) {
    JsonArray* items = tree.array();
    if (!items || items->size() % 2 != 0)
      throw InputError(std::string("the ") + what +
                       " is no list of names and values; write the file again");
    for (std::size_t i = 0; i < items->size(); i += 2) {
      const Text* key = (*items)[i].text();
      if (!key)
        throw InputError(std::string("the ") + what +
                         " has a section without a name; write the "
                         "file again");
      for (const Section& section : sections)
        if (section.key.bytes == key->bytes)
          throw InputError("section '" + key->bytes + "' appears twice; write the file again");
      sections.push_back({*key, std::move((*items)[i + 1])});
    }
    tree = JsonValue();
  }

  // The content of a section, which stays in the list of sections as a place only.
  JsonValue take(const char* key) {
    for (Section& section : geometry_.sections)
      if (section.key.bytes == key) return std::exchange(section.value, JsonValue());
    return {};
  }

  std::int64_t count(const char* key) {
    const JsonValue value = take(key);
    if (value.is_null()) return 0;
    const auto number = value.integer();
    const std::int64_t limit =
        std::min<std::int64_t>(std::numeric_limits<std::int32_t>::max() - 1,
                               kElementsPerByte * static_cast<std::int64_t>(payload_bytes_));
    if (!number || *number < 0 || *number > limit)
      throw InputError(std::string("'") + key +
                       "' is no count that a file of this size can have; write the file again");
    return *number;
  }

  void topology(JsonValue section, std::int64_t vertices) {
    geometry_.topology = std::move(section);
    JsonValue* reference = find_key(geometry_.topology, "pointref");
    JsonValue* indices = reference ? find_key(*reference, "indices") : nullptr;
    std::vector<std::int32_t> points;
    if (indices && list_size(*indices)) {
      const bool is_int32 = indices->uniform() &&
                            std::holds_alternative<std::vector<std::int32_t>>(*indices->uniform());
      if (is_int32) {
        points = std::move(std::get<std::vector<std::int32_t>>(*indices->uniform()));
      } else {
        points = point_numbers(*indices);
        geometry_.topology_as_it_came = *indices;
      }
      *indices = JsonValue();
    }
    if (points.size() != static_cast<std::size_t>(vertices))
      throw InputError("the topology has " + std::to_string(points.size()) +
                       " vertices instead of " + std::to_string(vertices) +
                       "; write the file again");
    for (const std::int32_t point : points)
      if (point < 0 || point >= geometry_.point_count)
        throw InputError("a vertex refers to point " + std::to_string(point) + " of " +
                         std::to_string(geometry_.point_count) + "; write the file again");
    geometry_.topology_points = std::move(points);
  }

  static std::vector<std::int32_t> point_numbers(const JsonValue& list) {
    try {
      return std::get<std::vector<std::int32_t>>(values_from(list, "int32"));
    } catch (const InputError& error) {
      throw InputError(std::string("the topology: ") + error.what());
    }
  }

  void attributes(JsonValue section) {
    if (section.is_null()) return;
    take_sections(section, geometry_.attribute_sections, "list of attributes");
    for (const AttributeSection& known : kAttributeSections) {
      for (Section& present : geometry_.attribute_sections) {
        if (present.key.bytes != known.key) continue;
        JsonValue list = std::exchange(present.value, JsonValue());
        for (JsonValue& item : items_of(std::move(list), "attributes"))
          attribute(std::move(item), known);
      }
    }
  }

  void attribute(JsonValue pair, const AttributeSection& section) {
    JsonArray* parts = pair.array();
    const bool whole = parts && parts->size() == 2;
    const JsonValue* name = whole ? find_key((*parts)[0], "name") : nullptr;
    const JsonValue* type = whole ? find_key((*parts)[0], "type") : nullptr;
    if (!name || !name->text() || !type || !type->text())
      throw InputError(std::string("a ") + section.name +
                       " attribute has no name, type or body; write the file again");
    Attribute attribute{section.owner,
                        name->text()->bytes,
                        type->text()->bytes,
                        AttributeKind::kOpaque,
                        {},
                        {},
                        {}};
    attribute.definition = std::move((*parts)[0]);
    attribute.body = std::move((*parts)[1]);
    try {
      decode_body(attribute);
    } catch (const InputError& error) {
      throw InputError(std::string(section.name) + " attribute '" + attribute.name +
                       "': " + error.what());
    }
    if (attribute.kind == AttributeKind::kOpaque)
      geometry_.warnings.push_back(std::string(section.name) + " attribute '" + attribute.name +
                                   "' of type '" + attribute.type + "' is kept but not decoded");
    geometry_.attributes.push_back(std::move(attribute));
  }

  void decode_body(Attribute& attribute) {
    if (attribute.type == "numeric") attribute.kind = AttributeKind::kNumeric;
    if (attribute.type == "string") attribute.kind = AttributeKind::kString;
    if (attribute.type == "dict") attribute.kind = AttributeKind::kDict;
    if (attribute.type == "arraydata") decode_arrays(attribute);
    const char* key = data_key(attribute.kind);
    if (!key) return;
    JsonValue* block = find_key(attribute.body, key);
    if (!block) throw InputError("it has no values; write the file again");
    const JsonValue* storage = find_key(*block, "storage");
    if (!storage || !storage->text() || !known_storage(storage->text()->bytes)) {
      attribute.kind = AttributeKind::kOpaque;
      return;
    }
    const auto count = static_cast<std::size_t>(geometry_.element_count(attribute.owner));
    attribute.data = NumericData::decode(std::exchange(*block, JsonValue()), count, budget_);
    if (attribute.kind != AttributeKind::kNumeric) check_table(attribute);
  }

  static void check_table(const Attribute& attribute) {
    const bool dict = attribute.kind == AttributeKind::kDict;
    const JsonValue* table = find_key(attribute.body, dict ? "dicts" : "strings");
    if (!dict && table && !text_list(*table))
      throw InputError("its table holds something else than strings; write the file again");
    const std::size_t size = table ? list_size(*table).value_or(0) : 0;
    if (attribute.data.storage()[0] == 'f')
      throw InputError("its indices are no integers; write the file again");
    for (std::size_t i = 0; i < attribute.data.value_count(); ++i)
      if (attribute.data.number(i) >= static_cast<double>(size))
        throw InputError("an index is beyond its table of " + std::to_string(size) +
                         " entries; write the file again");
  }

  // Stays in the tree; in text files the numbers get the type of their storage.
  void decode_arrays(Attribute& attribute) {
    JsonValue* lists = find_key(attribute.body, "values");
    const JsonValue* storage = find_key(attribute.body, "storage");
    const auto count = static_cast<std::size_t>(geometry_.element_count(attribute.owner));
    if (!lists || list_size(*lists) != count || (count > 0 && !lists->array()) || !storage ||
        !storage->text() || !known_storage(storage->text()->bytes))
      return;
    if (count > 0)
      for (JsonValue& list : *lists->array()) {
        UniformArray typed = values_from(list, storage->text()->bytes);
        if (!binary_) list = std::move(typed);
      }
    attribute.kind = AttributeKind::kArray;
  }

  static JsonArray items_of(JsonValue section, const char* what) {
    if (section.is_null() || list_size(section) == std::size_t{0}) return {};
    if (!section.array())
      throw InputError(std::string("the list of ") + what + " is damaged; write the file again");
    return std::move(*section.array());
  }

  void primitives(JsonValue section) {
    std::int64_t total = 0;
    for (JsonValue& pair : items_of(std::move(section), "primitives")) {
      geometry_.primitives.push_back(
          decode_primitives(std::move(pair), total, geometry_.vertex_count()));
      total += geometry_.primitives.back().count;
      if (total > geometry_.primitive_count) break;
    }
    if (total != geometry_.primitive_count)
      throw InputError("the file lists " + std::to_string(total) + " primitives instead of " +
                       std::to_string(geometry_.primitive_count) + "; write the file again");
    for (const PrimitiveRun& run : geometry_.primitives)
      if (run.kind == PrimitiveRun::Kind::kOther)
        geometry_.warnings.push_back(std::to_string(run.count) + " primitives of type '" +
                                     run.type + "' are kept but not decoded");
  }

  void groups(JsonValue section, Group::Class owner) {
    std::int64_t count = geometry_.point_count;
    if (owner == Group::Class::kVertex) count = geometry_.vertex_count();
    if (owner == Group::Class::kPrimitive) count = geometry_.primitive_count;
    for (JsonValue& pair : items_of(std::move(section), "groups"))
      geometry_.groups.push_back(decode_group(std::move(pair), owner, count, geometry_.warnings));
  }

  JsonValue& tree_;
  bool binary_;
  std::size_t payload_bytes_;
  ExpansionBudget budget_;
  Geometry geometry_;
};

}  // namespace

Geometry decode_geometry(OpenedFile file) {
  return Decoder(file).decode();
}

Geometry decode_geometry(std::string bytes) {
  return decode_geometry(open_container(std::move(bytes)));
}

Geometry read_geometry(const std::filesystem::path& path, FileForm* form) {
  std::string bytes = read_file(path);
  try {
    OpenedFile file = open_container(std::move(bytes));
    if (form) *form = file.form;
    return decode_geometry(std::move(file));
  } catch (const InputError& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

}  // namespace dashpot
