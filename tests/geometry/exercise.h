#pragma once

#include <stdexcept>
#include <string>

#include "solver/base/error.h"
#include "standalone/geometry/geometry_reader.h"
#include "standalone/geometry/geometry_writer.h"

namespace dashpot {

// Reads the bytes as a geometry and uses everything in it; what was read must survive being
// written and read again. False if the bytes were refused with an InputError; anything else that
// goes wrong leaves as another exception or as a sanitizer's report.
inline bool exercise(const std::string& bytes) {
  Geometry geometry;
  try {
    geometry = decode_geometry(bytes);
  } catch (const InputError&) {
    return false;
  }
  tets(geometry);
  polygons(geometry);
  for (const Group& group : geometry.groups) members(group);
  std::size_t values = 0;
  for (const Attribute& attribute : geometry.attributes) {
    values += attribute.data.value_count();
    array_lists(attribute);
    if (attribute.kind == AttributeKind::kString && geometry.element_count(attribute.owner) > 0)
      string_of(attribute, 0);
  }
  Geometry again = decode_geometry(encode_payload(geometry, true));
  if (again.vertex_points() != geometry.vertex_points() ||
      again.attributes.size() != geometry.attributes.size() ||
      again.groups.size() != geometry.groups.size())
    throw std::logic_error("a geometry changed by being written and read");
  if (values > 1000000) return true;  // constant pages; as text they would take minutes
  std::string text;
  try {
    text = encode_payload(geometry, false);
  } catch (const InputError&) {
    return true;  // nan or inf
  }
  decode_geometry(std::move(text));
  return true;
}

}  // namespace dashpot
