#include <cmath>
#include <stdexcept>

#include "GU/GU_Detail.h"

namespace {

constexpr GA_Offset kHoleEvery = 5;  // offsets and indices must not be mistaken for each other

GA_Offset after(GA_Offset offset) {
  return offset % kHoleEvery == kHoleEvery - 1 ? offset + 2 : offset + 1;
}

}  // namespace

GA_DataId GA_Attribute::next_data_id() {
  static GA_DataId id = 0;
  return ++id;
}

void GA_Attribute::resize(std::size_t offsets, double value) {
  if (kind_ == Kind::kNumeric)
    numbers_.resize(offsets * static_cast<std::size_t>(tuple_size_), value);
  else if (kind_ == Kind::kString)
    texts.resize(offsets);
  else
    arrays.resize(offsets);
}

void GA_Attribute::set_number(GA_Offset offset, int component, double value) {
  double stored = value;
  if (storage_ == GA_STORE_REAL32) stored = static_cast<float>(value);
  if (storage_ == GA_STORE_INT32 || storage_ == GA_STORE_INT64) stored = std::trunc(value);
  numbers_.at(static_cast<std::size_t>(offset * tuple_size_ + component)) = stored;
}

GU_Detail::GU_Detail() {
  topology_.data_id = GA_Attribute::next_data_id();
  primitive_list_.data_id = GA_Attribute::next_data_id();
  add(GA_ATTRIB_POINT, "P", GA_Attribute::Kind::kNumeric, GA_STORE_REAL32, 3, 0);
}

void GU_Detail::clear() {
  points_.clear();
  point_index_.clear();
  primitive_index_.clear();
  vertex_point_.clear();
  primitives_.clear();
  attributes_.clear();
  groups_.clear();
  next_point_ = next_vertex_ = next_primitive_ = 1;
  topology_.data_id = GA_Attribute::next_data_id();
  primitive_list_.data_id = GA_Attribute::next_data_id();
  add(GA_ATTRIB_POINT, "P", GA_Attribute::Kind::kNumeric, GA_STORE_REAL32, 3, 0);
}

std::size_t GU_Detail::offsets(GA_AttributeOwner owner) const {
  if (owner == GA_ATTRIB_DETAIL) return 1;
  const GA_Offset next = owner == GA_ATTRIB_POINT       ? next_point_
                         : owner == GA_ATTRIB_PRIMITIVE ? next_primitive_
                                                        : next_vertex_;
  return static_cast<std::size_t>(next);
}

void GU_Detail::fit_attributes() {
  for (auto& [key, attribute] : attributes_) {
    if (attribute.use_count() > 1) attribute = std::make_shared<GA_Attribute>(*attribute);
    attribute->resize(offsets(key.first));
  }
}

GA_Offset GU_Detail::add_point(double x, double y, double z) {
  const GA_Offset offset = next_point_;
  next_point_ = after(next_point_);
  point_index_[offset] = static_cast<GA_Index>(points_.size());
  points_.push_back(offset);
  topology_.data_id = GA_Attribute::next_data_id();
  fit_attributes();
  GA_Attribute* p = getP();
  p->set_number(offset, 0, x);
  p->set_number(offset, 1, y);
  p->set_number(offset, 2, z);
  p->bumpDataId();
  return offset;
}

GA_Offset GU_Detail::add_primitive(GA_PrimitiveTypeId type,
                                   const std::vector<GA_Index>& point_numbers,
                                   std::shared_ptr<GA_Primitive> object) {
  Primitive primitive;
  primitive.type = type;
  primitive.offset = next_primitive_;
  primitive.object =
      object ? std::move(object) : std::make_shared<GA_Primitive>(type, primitive.offset);
  next_primitive_ = after(next_primitive_);
  for (const GA_Index point : point_numbers) {
    primitive.vertices.push_back(next_vertex_);
    vertex_point_[next_vertex_] = pointOffset(point);
    next_vertex_ = after(next_vertex_);
  }
  primitive_index_[primitive.offset] = static_cast<GA_Index>(primitives_.size());
  primitives_.push_back(primitive);
  fit_attributes();
  topology_.data_id = GA_Attribute::next_data_id();
  primitive_list_.data_id = GA_Attribute::next_data_id();
  return primitive.offset;
}

GA_Attribute* GU_Detail::findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) {
  const auto found = attributes_.find({owner, name.toStdString()});
  if (found == attributes_.end()) return nullptr;
  // Copy on write: geometry shares attributes until somebody may change one.
  if (found->second.use_count() > 1) found->second = std::make_shared<GA_Attribute>(*found->second);
  return found->second.get();
}

const GA_Attribute* GU_Detail::findAttribute(GA_AttributeOwner owner,
                                             const UT_StringRef& name) const {
  const auto found = attributes_.find({owner, name.toStdString()});
  return found == attributes_.end() ? nullptr : found->second.get();
}

const GA_ElementGroup* GU_Detail::findElementGroup(GA_AttributeOwner owner,
                                                   const UT_StringRef& name) const {
  const auto found = groups_.find({owner, name.toStdString()});
  return found == groups_.end() ? nullptr : found->second.get();
}

void GU_Detail::add_group(GA_AttributeOwner owner, const std::string& name,
                          std::set<GA_Offset> members) {
  groups_[{owner, name}] = std::make_shared<GA_ElementGroup>(owner, name, std::move(members));
}

GA_Attribute* GU_Detail::add(GA_AttributeOwner owner, const std::string& name,
                             GA_Attribute::Kind kind, GA_Storage storage, int tuple_size,
                             double value) {
  auto attribute = std::make_shared<GA_Attribute>(owner, name, kind, storage, tuple_size);
  attribute->resize(offsets(owner), value);
  GA_Attribute* result = attribute.get();
  attributes_[{owner, name}] = std::move(attribute);
  return result;
}

GA_Attribute* GU_Detail::addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder& name,
                                       int tuple_size, const GA_Defaults& defaults) {
  return addTuple(GA_STORE_REAL32, owner, name, tuple_size, defaults);
}

GA_Attribute* GU_Detail::addTuple(GA_Storage storage, GA_AttributeOwner owner,
                                  const UT_StringHolder& name, int tuple_size,
                                  const GA_Defaults& defaults) {
  return add(owner, name.toStdString(), GA_Attribute::Kind::kNumeric, storage, tuple_size,
             defaults.value());
}

GA_Attribute* GU_Detail::addIntArray(GA_AttributeOwner owner, const UT_StringHolder& name,
                                     int tuple_size, const void*, const void*, GA_Storage storage) {
  return add(owner, name.toStdString(), GA_Attribute::Kind::kIntArray, storage, tuple_size, 0);
}

GA_Attribute* GU_Detail::add_string(GA_AttributeOwner owner, const std::string& name) {
  return add(owner, name, GA_Attribute::Kind::kString, GA_STORE_INT32, 1, 0);
}

GA_Attribute* GU_Detail::getP() {
  return findAttribute(GA_ATTRIB_POINT, "P");
}

void GU_Detail::replaceWith(const GU_Detail& src, GA_AttributeFilter*) {
  if (topology_.data_id != src.topology_.data_id ||
      primitive_list_.data_id != src.primitive_list_.data_id) {
    points_ = src.points_;
    point_index_ = src.point_index_;
    primitive_index_ = src.primitive_index_;
    vertex_point_ = src.vertex_point_;
    primitives_ = src.primitives_;
    next_point_ = src.next_point_;
    next_vertex_ = src.next_vertex_;
    next_primitive_ = src.next_primitive_;
    topology_.data_id = src.topology_.data_id;
    primitive_list_.data_id = src.primitive_list_.data_id;
  }
  attributes_ = src.attributes_;
  groups_ = src.groups_;
}

std::map<std::string, GA_DataId> GU_Detail::data_ids() const {
  std::map<std::string, GA_DataId> ids = {{"topology", topology_.data_id},
                                          {"primitives", primitive_list_.data_id}};
  for (const auto& [key, attribute] : attributes_)
    ids[std::to_string(key.first) + ":" + key.second] = attribute->getDataId();
  return ids;
}
