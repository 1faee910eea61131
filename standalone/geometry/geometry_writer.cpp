#include "standalone/geometry/geometry_writer.h"

#include "solver/base/error.h"
#include "standalone/files/atomic_file.h"
#include "standalone/geometry/ascii_json.h"
#include "standalone/geometry/primitives.h"
#include "standalone/geometry/schema.h"

namespace dashpot {
namespace {

class Encoder {
 public:
  Encoder(const Geometry& geometry, JsonWriter& writer) : geometry_(geometry), writer_(writer) {}

  void encode() {
    writer_.begin_array(ArrayLayout::kKeyValues);
    for (const Section& section : geometry_.sections) {
      // Offsets into a binary file mean nothing in a text file.
      const std::string& key = section.key.bytes;
      if (!writer_.binary() && (key == "index" || key == "indexposition")) continue;
      writer_.scalar(section.key);
      content(section);
    }
    writer_.end_array();
  }

 private:
  void content(const Section& section) {
    const std::string& key = section.key.bytes;
    if (key == "hasindex" && !writer_.binary()) return writer_.scalar(false);
    if (key == "pointcount") return writer_.scalar(geometry_.point_count);
    if (key == "vertexcount") return writer_.scalar(geometry_.vertex_count());
    if (key == "primitivecount") return writer_.scalar(geometry_.primitive_count);
    if (key == "topology") return topology();
    if (key == "attributes") return attributes();
    if (key == "primitives") return primitives();
    for (const GroupSection& known : kGroupSections)
      if (key == known.key) return groups(known.owner);
    writer_.value(section.value);
  }

  void topology() {
    const JsonValue* reference = find_key(geometry_.topology, "pointref");
    const JsonValue* hole = reference ? find_key(*reference, "indices") : nullptr;
    writer_.value_around(geometry_.topology, hole, [&] {
      if (!geometry_.topology_as_it_came.is_null() && writer_.binary())
        return writer_.value(geometry_.topology_as_it_came);
      writer_.uniform(geometry_.topology_points);
    });
  }

  void attributes() {
    writer_.begin_array(ArrayLayout::kKeyValues);
    for (const Section& section : geometry_.attribute_sections) {
      writer_.scalar(section.key);
      const AttributeSection* known = nullptr;
      for (const AttributeSection& candidate : kAttributeSections)
        if (section.key.bytes == candidate.key) known = &candidate;
      if (!known) {
        writer_.value(section.value);
        continue;
      }
      writer_.begin_array(ArrayLayout::kItems);
      for (const Attribute& item : geometry_.attributes)
        if (item.owner == known->owner) attribute(item);
      writer_.end_array();
    }
    writer_.end_array();
  }

  void attribute(const Attribute& attribute) {
    writer_.begin_array(ArrayLayout::kItems);
    writer_.value(attribute.definition);
    const char* key = data_key(attribute.kind);
    const JsonValue* hole = key ? find_key(attribute.body, key) : nullptr;
    writer_.value_around(attribute.body, hole, [&] { attribute.data.write(writer_); });
    writer_.end_array();
  }

  void primitives() {
    writer_.begin_array(ArrayLayout::kItems);
    for (const PrimitiveRun& run : geometry_.primitives) write_primitives(writer_, run);
    writer_.end_array();
  }

  void groups(Group::Class owner) {
    writer_.begin_array(ArrayLayout::kItems);
    for (const Group& group : geometry_.groups) {
      if (group.owner != owner) continue;
      writer_.begin_array(ArrayLayout::kItems);
      writer_.value(group.header);
      writer_.value(group.body);
      writer_.end_array();
    }
    writer_.end_array();
  }

  const Geometry& geometry_;
  JsonWriter& writer_;
};

// Of a binary payload; the small parts are small.
std::size_t expected_bytes(const Geometry& geometry) {
  std::size_t bytes = (std::size_t{1} << 16) + 4 * geometry.vertex_points().size();
  for (const Attribute& attribute : geometry.attributes)
    std::visit(
        [&](const auto& values) {
          using Values = std::decay_t<decltype(values)>;
          if constexpr (!std::is_same_v<Values, BitArray> && !std::is_same_v<Values, TextArray>)
            bytes += values.size() * sizeof(typename Values::value_type);
        },
        attribute.data.values());
  return bytes;
}

}  // namespace

std::string encode_payload(const Geometry& geometry, bool binary) {
  if (binary) {
    BinaryJsonWriter writer(expected_bytes(geometry));
    Encoder(geometry, writer).encode();
    return writer.take_bytes();
  }
  AsciiJsonWriter writer;
  Encoder(geometry, writer).encode();
  return writer.take_bytes();
}

std::string encode_geometry(const Geometry& geometry, FileForm form) {
  return pack(encode_payload(geometry, form.binary), form.compression);
}

FileDigest write_geometry(const std::filesystem::path& path, const Geometry& geometry) {
  const FileForm form = form_for(path);
  std::string bytes;
  try {
    bytes = encode_geometry(geometry, form);
  } catch (const InputError& error) {
    throw InputError(path.string() + ": " + error.what());
  }
  write_file_atomically(path, bytes);
  return digest_of(bytes);
}

}  // namespace dashpot
