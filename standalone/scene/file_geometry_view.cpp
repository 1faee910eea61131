#include "standalone/scene/file_geometry_view.h"

namespace dashpot {
namespace {

class FileAttributeView final : public AttributeView {
 public:
  explicit FileAttributeView(const Attribute& attribute) : attribute_(attribute) {}

  Kind kind() const override {
    if (attribute_.kind == AttributeKind::kNumeric) return Kind::kNumber;
    return attribute_.kind == AttributeKind::kString ? Kind::kText : Kind::kOther;
  }
  int tuple_size() const override { return static_cast<int>(attribute_.data.tuple_size()); }
  double number(int element, int component) const override {
    return attribute_.data.number(static_cast<std::size_t>(element) *
                                      static_cast<std::size_t>(attribute_.data.tuple_size()) +
                                  static_cast<std::size_t>(component));
  }
  std::string text(int element) const override {
    return std::string(string_of(attribute_, static_cast<std::size_t>(element)));
  }

 private:
  const Attribute& attribute_;
};

ElementClass element_class(AttributeOwner owner) {
  if (owner == AttributeOwner::kPoint) return ElementClass::kPoint;
  if (owner == AttributeOwner::kVertex) return ElementClass::kVertex;
  return owner == AttributeOwner::kPrimitive ? ElementClass::kPrimitive : ElementClass::kDetail;
}

}  // namespace

int FileGeometryView::point_count() const {
  return static_cast<int>(geometry_.point_count);
}

int FileGeometryView::primitive_count() const {
  return static_cast<int>(geometry_.primitive_count);
}

GeometryTets FileGeometryView::tets() const {
  TetList list = dashpot::tets(geometry_);
  return {std::move(list.tets), {list.primitives.begin(), list.primitives.end()}};
}

GeometryLines FileGeometryView::lines() const {
  const PolygonList all = polygons(geometry_);
  const std::vector<std::int32_t>& points = geometry_.vertex_points();
  GeometryLines list;
  for (std::size_t k = 0; k < all.primitives.size(); ++k) {
    const auto first = static_cast<std::size_t>(all.starts[k]);
    if (all.starts[k + 1] - all.starts[k] != 2) continue;
    list.lines.push_back({points[static_cast<std::size_t>(all.vertices[first])],
                          points[static_cast<std::size_t>(all.vertices[first + 1])]});
    list.primitives.push_back(all.primitives[k]);
  }
  return list;
}

std::vector<bool> FileGeometryView::used_points() const {
  std::vector<bool> used(static_cast<std::size_t>(geometry_.point_count), false);
  for (const std::int32_t point : geometry_.vertex_points())
    used[static_cast<std::size_t>(point)] = true;
  return used;
}

std::unique_ptr<AttributeView> FileGeometryView::find(AttributeOwner owner,
                                                      const std::string& name) const {
  const Attribute* attribute = find_attribute(geometry_, element_class(owner), name);
  return attribute ? std::make_unique<FileAttributeView>(*attribute) : nullptr;
}

std::vector<bool> FileGeometryView::group(AttributeOwner owner, const std::string& name) const {
  const bool of_points = owner == AttributeOwner::kPoint;
  const Group* found =
      find_group(geometry_, of_points ? Group::Class::kPoint : Group::Class::kPrimitive, name);
  if (!found) return {};
  std::vector<bool> has(
      static_cast<std::size_t>(of_points ? geometry_.point_count : geometry_.primitive_count));
  for (const std::int32_t element : members(*found)) has[static_cast<std::size_t>(element)] = true;
  return has;
}

}  // namespace dashpot
