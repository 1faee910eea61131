#include "solver/host/geometry_hash.h"

#include "solver/host/contact_attributes.h"
#include "solver/host/geometry_attributes.h"
#include "solver/host/geometry_body.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

int element_count(const GeometryView& geometry, AttributeOwner owner) {
  if (owner == AttributeOwner::kPoint) return geometry.point_count();
  return owner == AttributeOwner::kPrimitive ? geometry.primitive_count() : 1;
}

void hash_attribute(const GeometryView& geometry, AttributeOwner owner, const std::string& name,
                    Hash& hash) {
  const auto attribute = geometry.find(owner, name);
  hash.add_value(static_cast<int>(attribute != nullptr));
  if (!attribute) return;
  hash.add_value(static_cast<int>(attribute->kind()));
  hash.add_value(attribute->tuple_size());
  const int count = element_count(geometry, owner);
  for (int e = 0; e < count; ++e) {
    if (attribute->kind() == AttributeView::Kind::kText) {
      const std::string text = attribute->text(e);
      hash.add_value(text.size());
      hash.add(text.data(), text.size());
    } else if (attribute->kind() == AttributeView::Kind::kNumber) {
      for (int c = 0; c < attribute->tuple_size(); ++c) hash.add_value(attribute->number(e, c));
    }
  }
}

// Of what contact_attributes.h reads besides parameters.
void hash_contact(const GeometryView& geometry, Hash& hash) {
  for (const AttributeOwner owner : {AttributeOwner::kPoint, AttributeOwner::kPrimitive}) {
    for (const char* name : {"name", kNoContact}) hash_attribute(geometry, owner, name, hash);
    const std::vector<bool> members = geometry.group(owner, kNoContact);
    hash.add_value(members.size());
    for (const bool has : members) hash.add_value(static_cast<int>(has));
  }
}

}  // namespace

void hash_vectors(const GeometryView& geometry, const std::string& name, Hash& hash) {
  const auto values = vector_attribute(geometry, name);
  hash.add_value(static_cast<int>(values.has_value()));
  if (values) hash.add(values->data(), static_cast<std::size_t>(values->size()) * sizeof(double));
}

void hash_body(const GeometryView& geometry, Hash& hash) {
  const GeometryTets list = geometry.tets();
  hash.add_value(geometry.point_count());
  hash.add_value(geometry.primitive_count());
  hash.add(list.tets.data(), list.tets.size() * sizeof(Tet));
  hash.add(list.primitives.data(), list.primitives.size() * sizeof(int));
  const GeometryLines lines = geometry.lines();
  hash.add(lines.lines.data(), lines.lines.size() * sizeof lines.lines[0]);
  hash.add(lines.primitives.data(), lines.primitives.size() * sizeof(int));
  hash_attribute(geometry, AttributeOwner::kPoint, "mass", hash);
  for (const bool used : geometry.used_points()) hash.add_value(static_cast<int>(used));
  // The rest shape is hashed as what it comes out to be: P at first may be restP later.
  hash_vectors(geometry, rest_attribute(geometry), hash);
  for (const Parameter& parameter : parameters()) {
    if (parameter.scope == ParameterScope::kSolver) continue;
    for (const AttributeOwner owner :
         {AttributeOwner::kPoint, AttributeOwner::kPrimitive, AttributeOwner::kDetail})
      hash_attribute(geometry, owner, parameter.token, hash);
  }
  hash_contact(geometry, hash);
}

}  // namespace dashpot
