#include "sop_plugin/detail_view.h"

#include <GA/GA_ElementGroup.h>
#include <GA/GA_Handle.h>
#include <GA/GA_Primitive.h>
#include <GEO/GEO_PrimType.h>
#include <GU/GU_Detail.h>
#include <UT/UT_StringHolder.h>

#include "solver/host/contact_attributes.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

GA_AttributeOwner ga_owner(AttributeOwner owner) {
  if (owner == AttributeOwner::kPoint) return GA_ATTRIB_POINT;
  if (owner == AttributeOwner::kVertex) return GA_ATTRIB_VERTEX;
  return owner == AttributeOwner::kPrimitive ? GA_ATTRIB_PRIMITIVE : GA_ATTRIB_DETAIL;
}

class DetailAttributeView final : public AttributeView {
 public:
  DetailAttributeView(const GU_Detail& detail, AttributeOwner owner, const GA_Attribute* attribute)
      : detail_(detail), owner_(owner), numbers_(attribute), texts_(attribute) {}

  Kind kind() const override {
    if (numbers_.isValid()) return Kind::kNumber;
    return texts_.isValid() ? Kind::kText : Kind::kOther;
  }
  int tuple_size() const override { return numbers_.isValid() ? numbers_.getTupleSize() : 1; }
  double number(int element, int component) const override {
    return numbers_.get(offset(element), component);
  }
  std::string text(int element) const override {
    return UT_StringHolder(texts_.get(offset(element))).c_str();
  }

 private:
  GA_Offset offset(int element) const {
    if (owner_ == AttributeOwner::kPoint) return detail_.pointOffset(GA_Index(element));
    return owner_ == AttributeOwner::kPrimitive ? detail_.primitiveOffset(GA_Index(element))
                                                : GA_Offset(0);
  }

  const GU_Detail& detail_;
  AttributeOwner owner_;
  GA_ROHandleD numbers_;
  GA_ROHandleS texts_;
};

}  // namespace

int DetailView::point_count() const {
  return static_cast<int>(detail_.getNumPoints());
}

int DetailView::primitive_count() const {
  return static_cast<int>(detail_.getNumPrimitives());
}

GeometryTets DetailView::tets() const {
  GeometryTets list;
  const int count = primitive_count();
  for (int i = 0; i < count; ++i) {
    const GA_Offset primitive = detail_.primitiveOffset(GA_Index(i));
    if (detail_.getPrimitiveTypeId(primitive) != GEO_PRIMTETRAHEDRON) continue;
    const GA_OffsetListRef vertices = detail_.getPrimitiveVertexList(primitive);
    Tet tet;
    for (int k = 0; k < 4; ++k)
      tet[static_cast<std::size_t>(k)] =
          static_cast<int>(detail_.pointIndex(detail_.vertexPoint(vertices(k))));
    list.tets.push_back(tet);
    list.primitives.push_back(i);
  }
  return list;
}

GeometryLines DetailView::lines() const {
  GeometryLines list;
  const int count = primitive_count();
  for (int i = 0; i < count; ++i) {
    const GA_Offset primitive = detail_.primitiveOffset(GA_Index(i));
    if (detail_.getPrimitiveTypeId(primitive) != GEO_PRIMPOLY) continue;
    const GA_OffsetListRef vertices = detail_.getPrimitiveVertexList(primitive);
    if (vertices.size() != 2) continue;
    const auto point = [&](GA_Size k) {
      return static_cast<int>(detail_.pointIndex(detail_.vertexPoint(vertices(k))));
    };
    list.lines.push_back({point(0), point(1)});
    list.primitives.push_back(i);
  }
  return list;
}

std::vector<bool> DetailView::used_points() const {
  std::vector<bool> used(static_cast<std::size_t>(point_count()), false);
  const int count = primitive_count();
  for (int i = 0; i < count; ++i) {
    const GA_OffsetListRef vertices =
        detail_.getPrimitiveVertexList(detail_.primitiveOffset(GA_Index(i)));
    for (GA_Size k = 0; k < vertices.size(); ++k)
      used[static_cast<std::size_t>(detail_.pointIndex(detail_.vertexPoint(vertices(k))))] = true;
  }
  return used;
}

std::unique_ptr<AttributeView> DetailView::find(AttributeOwner owner,
                                                const std::string& name) const {
  const GA_Attribute* attribute = detail_.findAttribute(ga_owner(owner), name.c_str());
  if (!attribute) return nullptr;
  return std::make_unique<DetailAttributeView>(detail_, owner, attribute);
}

std::vector<bool> DetailView::group(AttributeOwner owner, const std::string& name) const {
  const GA_ElementGroup* found = detail_.findElementGroup(ga_owner(owner), name.c_str());
  if (!found) return {};
  const bool of_points = owner == AttributeOwner::kPoint;
  std::vector<bool> has(static_cast<std::size_t>(of_points ? point_count() : primitive_count()));
  for (std::size_t i = 0; i < has.size(); ++i)
    has[i] = found->contains(of_points ? detail_.pointOffset(GA_Index(i))
                                       : detail_.primitiveOffset(GA_Index(i)));
  return has;
}

std::vector<GA_DataId> DetailView::data_ids() const {
  std::vector<GA_DataId> ids = {detail_.getTopology().getDataId(),
                                detail_.getPrimitiveList().getDataId()};
  const auto add = [&](AttributeOwner owner, const std::string& name) {
    const GA_Attribute* attribute = detail_.findAttribute(ga_owner(owner), name.c_str());
    ids.push_back(attribute ? attribute->getDataId() : GA_DataId(0));
  };
  for (const char* name : {"P", "v", "rest", "restP", "targetP", "mass"})
    add(AttributeOwner::kPoint, name);
  for (const Parameter& parameter : parameters())
    if (parameter.scope != ParameterScope::kSolver)
      for (const AttributeOwner owner :
           {AttributeOwner::kPoint, AttributeOwner::kPrimitive, AttributeOwner::kDetail})
        add(owner, parameter.token);
  for (const AttributeOwner owner : {AttributeOwner::kPoint, AttributeOwner::kPrimitive}) {
    for (const char* name : {"name", kNoContact}) add(owner, name);
    const GA_ElementGroup* group = detail_.findElementGroup(ga_owner(owner), kNoContact);
    ids.push_back(group ? group->getDataId() : GA_DataId(0));
  }
  for (const GA_DataId id : ids)
    if (id < 0) return {};
  return ids;
}

std::vector<GA_DataId> DetailView::collider_ids() const {
  std::vector<GA_DataId> ids = {detail_.getTopology().getDataId(),
                                detail_.getPrimitiveList().getDataId(),
                                detail_.getP()->getDataId()};  // where a VDB is
  for (const std::string& name : tokens(ParameterScope::kCollider))
    for (const AttributeOwner owner : {AttributeOwner::kPrimitive, AttributeOwner::kDetail}) {
      const GA_Attribute* attribute = detail_.findAttribute(ga_owner(owner), name.c_str());
      ids.push_back(attribute ? attribute->getDataId() : GA_DataId(0));
    }
  for (const GA_DataId id : ids)
    if (id < 0) return {};
  return ids;
}

}  // namespace dashpot
