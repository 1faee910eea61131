#include "standalone/frames/geometry_merge.h"

#include <algorithm>
#include <utility>

#include "standalone/frames/attribute_merge.h"
#include "standalone/frames/primitive_merge.h"
#include "standalone/geometry/groups.h"
#include "standalone/geometry/schema.h"

namespace dashpot {
namespace {

constexpr const char* kSharedData = "sharedprimitivedata";

JsonValue* section_of(Geometry& geometry, std::string_view key) {
  for (Section& section : geometry.sections)
    if (section.key.bytes == key) return &section.value;
  return nullptr;
}

class Merger {
 public:
  Merger(const std::vector<MergePart>& parts, std::vector<std::string>& warnings)
      : parts_(parts), warnings_(warnings) {
    for (const MergePart& part : parts) {
      points_.push_back(merged_.point_count);
      vertices_.push_back(vertex_count_);
      primitives_.push_back(merged_.primitive_count);
      merged_.point_count += part.geometry->point_count;
      vertex_count_ += part.geometry->vertex_count();
      merged_.primitive_count += part.geometry->primitive_count;
    }
  }

  Geometry merge() {
    version();
    topology();
    for (const AttributeSection& section : kAttributeSections) attributes(section);
    for (std::size_t p = 0; p < parts_.size(); ++p) primitives(p);
    for (const GroupSection& section : kGroupSections) groups(section.owner);
    shared_data();
    other_sections();
    add_missing_sections(merged_);
    return std::move(merged_);
  }

 private:
  void version() {
    const JsonValue* version = find_section(*parts_.front().geometry, "fileversion");
    if (version) *section_of(merged_, "fileversion") = *version;
  }

  void topology() {
    std::vector<std::int32_t> all;
    all.reserve(static_cast<std::size_t>(vertex_count_));
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const std::int32_t point : parts_[p].geometry->vertex_points())
        all.push_back(point + static_cast<std::int32_t>(points_[p]));
    merged_.set_vertex_points(std::move(all));
  }

  void attributes(const AttributeSection& section) {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const Attribute& attribute : parts_[p].geometry->attributes)
        if (attribute.owner == section.owner && is_new(p, [&](const Geometry& earlier) {
              return find_attribute(earlier, attribute.owner, attribute.name) == nullptr;
            }))
          this->attribute(attribute, section);
  }

  // Whether it is absent from all parts before this one.
  template <class IsAbsent>
  bool is_new(std::size_t part, const IsAbsent& is_absent) const {
    return std::all_of(parts_.begin(), parts_.begin() + static_cast<std::ptrdiff_t>(part),
                       [&](const MergePart& earlier) { return is_absent(*earlier.geometry); });
  }

  void attribute(const Attribute& first, const AttributeSection& section) {
    if (first.owner == ElementClass::kDetail) {
      merged_.attributes.push_back(first);
      return;
    }
    std::vector<AttributePart> of_parts;
    for (const MergePart& part : parts_)
      of_parts.push_back({find_attribute(*part.geometry, first.owner, first.name),
                          part.geometry->element_count(first.owner)});
    if (auto all = merge_attribute(of_parts)) {
      merged_.attributes.push_back(*std::move(all));
    } else {
      warn(std::string("the ") + section.name + " attribute '" + first.name + "' of type '" +
           first.type + "' cannot be merged for all bodies and is left out of the frames");
    }
  }

  void primitives(std::size_t part) {
    for (PrimitiveRun run : parts_[part].geometry->primitives) {
      if (!move_primitives(run, primitives_[part], vertices_[part]))
        warn("the " + std::to_string(run.count) + " primitives of type '" + run.type +
             "' of body '" + parts_[part].name +
             "' name their vertices in an unknown way; in the frames of several bodies they are "
             "wrong");
      merged_.primitives.push_back(std::move(run));
    }
  }

  void groups(Group::Class owner) {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (const Group& group : parts_[p].geometry->groups)
        if (group.owner == owner && is_new(p, [&](const Geometry& earlier) {
              return find_group(earlier, owner, group.name) == nullptr;
            }))
          this->group(group);
  }

  void group(const Group& first) {
    std::vector<std::int32_t> all;
    bool ordered = false;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      const Group* group = find_group(*parts_[p].geometry, first.owner, first.name);
      if (!group) continue;
      if (!can_list(*group, p)) {
        warn(std::string("the ") + class_name(first.owner) + " group '" + first.name +
             "' of body '" + parts_[p].name +
             "' lists its members in an unknown way and is left out of the frames");
        continue;
      }
      ordered |= group->ordered;
      const auto offset = static_cast<std::int32_t>(offsets(first.owner)[p]);
      for (const std::int32_t member : members(*group)) all.push_back(member + offset);
    }
    merged_.groups.push_back(ordered
                                 ? make_ordered(first, std::move(all))
                                 : make_group(first.owner, first.name, count(first.owner), all));
  }

  bool can_list(const Group& group, std::size_t part) const {
    const Geometry& geometry = *parts_[part].geometry;
    std::vector<std::string> complaints;
    decode_group(JsonArray{group.header, group.body}, group.owner,
                 group.owner == Group::Class::kVertex      ? geometry.vertex_count()
                 : group.owner == Group::Class::kPrimitive ? geometry.primitive_count
                                                           : geometry.point_count,
                 complaints);
    return complaints.empty();
  }

  Group make_ordered(const Group& like, std::vector<std::int32_t> all) {
    const auto pair = [](const char* key, JsonValue value) {
      return JsonValue(JsonArray{JsonValue(key), std::move(value)});
    };
    JsonValue list = UniformArray(std::move(all));
    JsonValue body = like.owner == Group::Class::kEdge
                         ? pair("points", std::move(list))
                         : pair("selection", pair("ordered", std::move(list)));
    return decode_group(JsonArray{pair("name", Text{like.name}), std::move(body)}, like.owner,
                        count(like.owner), warnings_);
  }

  const std::vector<std::int64_t>& offsets(Group::Class owner) const {
    if (owner == Group::Class::kVertex) return vertices_;
    return owner == Group::Class::kPrimitive ? primitives_ : points_;
  }

  std::int64_t count(Group::Class owner) const {
    if (owner == Group::Class::kVertex) return vertex_count_;
    return owner == Group::Class::kPrimitive ? merged_.primitive_count : merged_.point_count;
  }

  // Packed primitives refer to it: type, [kind, key, content], type, [kind, key, content] ….
  void shared_data() {
    JsonArray all;
    for (const MergePart& part : parts_) {
      const JsonValue* section = find_section(*part.geometry, kSharedData);
      const JsonArray* items = section ? section->array() : nullptr;
      for (std::size_t i = 0; items && i + 1 < items->size(); i += 2)
        add_shared((*items)[i], (*items)[i + 1], part.name, all);
    }
    if (all.empty()) return;
    Section& section = merged_.sections.emplace_back();
    section.key.bytes = kSharedData;
    section.value = std::move(all);
  }

  static const Text* key_of(const JsonValue& entry) {
    const JsonArray* parts = entry.array();
    return parts && parts->size() == 3 ? (*parts)[1].text() : nullptr;
  }

  void add_shared(const JsonValue& type, const JsonValue& entry, const std::string& body,
                  JsonArray& all) {
    const Text* key = key_of(entry);
    for (std::size_t i = 1; key && i < all.size(); i += 2) {
      const Text* other = key_of(all[i]);
      if (!other || other->bytes != key->bytes) continue;
      if (!same_value(all[i], entry))
        warn("the packed geometry '" + key->bytes + "' of body '" + body +
             "' has the key of another body's and is left out of the frames");
      return;
    }
    all.push_back(type);
    all.push_back(entry);
  }

  void other_sections() {
    for (const MergePart& part : parts_)
      for (const Section& section : part.geometry->sections) {
        const std::string& key = section.key.bytes;
        const auto* end = std::end(kSectionOrder);
        if (std::find(std::begin(kSectionOrder), end, key) == end)
          warn("section '" + key + "' of body '" + part.name +
               "' is unknown and is left out of the frames");
      }
  }

  void warn(std::string sentence) { warnings_.push_back(std::move(sentence)); }

  const std::vector<MergePart>& parts_;
  std::vector<std::string>& warnings_;
  Geometry merged_;
  std::int64_t vertex_count_ = 0;
  std::vector<std::int64_t> points_, vertices_, primitives_;  // first of each part
};

}  // namespace

Geometry merge_geometries(const std::vector<MergePart>& parts, std::vector<std::string>& warnings) {
  return Merger(parts, warnings).merge();
}

void add_name(Geometry& geometry, const std::string& name) {
  constexpr ElementClass kOwner = ElementClass::kPrimitive;
  if (find_attribute(geometry, kOwner, "name")) return;
  const auto count = static_cast<std::size_t>(geometry.primitive_count);
  // Puts it into its place; what it is comes next.
  set_numeric(geometry, kOwner, "name", std::vector<std::int32_t>(count), 1);
  Attribute& attribute = *find_attribute(geometry, kOwner, "name");
  attribute.type = "string";
  attribute.kind = AttributeKind::kString;
  attribute.definition =
      JsonArray{"scope", "public", "type", "string", "name", "name", "options", JsonMap()};
  attribute.body = JsonArray{"size",    1,          "storage",
                             "int32",   "strings",  UniformArray(TextArray{{name}, false}),
                             "indices", JsonValue()};
}

}  // namespace dashpot
