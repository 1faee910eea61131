#pragma once

#include "standalone/geometry/geometry.h"

namespace dashpot {

// The words of Houdini's files for the classes of elements.
struct AttributeSection {
  ElementClass owner;
  const char* key;
  const char* name;
};
constexpr AttributeSection kAttributeSections[] = {
    {ElementClass::kVertex, "vertexattributes", "vertex"},
    {ElementClass::kPoint, "pointattributes", "point"},
    {ElementClass::kPrimitive, "primitiveattributes", "primitive"},
    {ElementClass::kDetail, "globalattributes", "detail"},
};

struct GroupSection {
  Group::Class owner;
  const char* key;
};
constexpr GroupSection kGroupSections[] = {
    {Group::Class::kPoint, "pointgroups"},
    {Group::Class::kVertex, "vertexgroups"},
    {Group::Class::kPrimitive, "primitivegroups"},
    {Group::Class::kEdge, "edgegroups"},
};

// All sections in the order of Houdini's files.
constexpr const char* kSectionOrder[] = {
    "fileversion",  "hasindex",        "pointcount", "vertexcount",         "primitivecount",
    "info",         "topology",        "attributes", "primitives",          "pointgroups",
    "vertexgroups", "primitivegroups", "edgegroups", "sharedprimitivedata", "index",
    "indexposition"};

// Adds sections for attributes and groups whose class had none.
void add_missing_sections(Geometry& geometry);

// The key under which the body of an attribute holds its `data`; null if it has none.
inline const char* data_key(AttributeKind kind) {
  if (kind == AttributeKind::kNumeric) return "values";
  return kind == AttributeKind::kString || kind == AttributeKind::kDict ? "indices" : nullptr;
}

}  // namespace dashpot
