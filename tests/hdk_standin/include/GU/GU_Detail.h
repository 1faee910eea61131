#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "GA/GA_Attribute.h"
#include "GA/GA_ElementGroup.h"
#include "GA/GA_Handle.h"
#include "GA/GA_Primitive.h"

class GA_AttributeFilter;

class GA_Topology {
 public:
  GA_DataId getDataId() const { return data_id; }
  GA_DataId data_id = 0;
};
class GA_PrimitiveList {
 public:
  GA_DataId getDataId() const { return data_id; }
  GA_DataId data_id = 0;
};

// Points, vertices and primitives whose offsets are not their indices: there are holes, as in
// geometry that somebody edited. GU_Detail is a GEO_Detail is a GA_Detail in Houdini.
class GU_Detail {
 public:
  GU_Detail();
  GU_Detail(const GU_Detail&) = delete;
  GU_Detail& operator=(const GU_Detail&) = delete;

  GA_Size getNumPoints() const { return static_cast<GA_Size>(points_.size()); }
  GA_Size getNumPrimitives() const { return static_cast<GA_Size>(primitives_.size()); }
  GA_Offset pointOffset(GA_Index index) const {
    return points_.at(static_cast<std::size_t>(index));
  }
  GA_Index pointIndex(GA_Offset offset) const { return point_index_.at(offset); }
  GA_Offset primitiveOffset(GA_Index index) const {
    return primitives_.at(static_cast<std::size_t>(index)).offset;
  }
  GA_Index primitiveIndex(GA_Offset offset) const { return primitive_index_.at(offset); }

  GA_PrimitiveTypeId getPrimitiveTypeId(GA_Offset primoff) const { return at(primoff).type; }
  GA_OffsetListRef getPrimitiveVertexList(GA_Offset primoff) const {
    const Primitive& p = at(primoff);
    return {p.vertices.data(), static_cast<GA_Size>(p.vertices.size())};
  }
  GA_Offset vertexPoint(GA_Offset vertex) const { return vertex_point_.at(vertex); }
  const GA_Primitive* getPrimitive(GA_Offset primoff) const { return at(primoff).object.get(); }

  GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name);
  const GA_Attribute* findAttribute(GA_AttributeOwner owner, const UT_StringRef& name) const;
  GA_Attribute* addFloatTuple(GA_AttributeOwner owner, const UT_StringHolder& name, int tuple_size,
                              const GA_Defaults& defaults = GA_Defaults(0.0));
  GA_Attribute* addTuple(GA_Storage storage, GA_AttributeOwner owner, const UT_StringHolder& name,
                         int tuple_size, const GA_Defaults& defaults = GA_Defaults(0.0));
  GA_Attribute* addIntArray(GA_AttributeOwner owner, const UT_StringHolder& name,
                            int tuple_size = 1, const void* creation_args = nullptr,
                            const void* attribute_options = nullptr,
                            GA_Storage storage = GA_STORE_INT32);
  const GA_ElementGroup* findElementGroup(GA_AttributeOwner owner, const UT_StringRef& name) const;
  GA_Attribute* getP();
  const GA_Attribute* getP() const { return const_cast<GU_Detail*>(this)->getP(); }

  const GA_Topology& getTopology() const { return topology_; }
  const GA_PrimitiveList& getPrimitiveList() const { return primitive_list_; }

  // Copies only what differs by data id.
  void replaceWith(const GU_Detail& src, GA_AttributeFilter* skip = nullptr);

  // What follows is for tests and for the stand-in's other classes.
  GA_Offset add_point(double x, double y, double z);
  GA_Offset add_primitive(GA_PrimitiveTypeId type, const std::vector<GA_Index>& point_numbers,
                          std::shared_ptr<GA_Primitive> object = nullptr);
  GA_Attribute* add_string(GA_AttributeOwner owner, const std::string& name);
  void add_group(GA_AttributeOwner owner, const std::string& name, std::set<GA_Offset> members);
  void clear();
  std::map<std::string, GA_DataId> data_ids() const;  // "owner:name" and "topology"
  std::size_t offsets(GA_AttributeOwner owner) const;
  GA_Offset next_primitive_offset() const { return next_primitive_; }

 private:
  struct Primitive {
    GA_PrimitiveTypeId type{0};
    GA_Offset offset = 0;
    std::vector<GA_Offset> vertices;
    std::shared_ptr<GA_Primitive> object;
  };
  using Key = std::pair<GA_AttributeOwner, std::string>;

  const Primitive& at(GA_Offset primoff) const {
    return primitives_.at(static_cast<std::size_t>(primitive_index_.at(primoff)));
  }
  GA_Attribute* add(GA_AttributeOwner owner, const std::string& name, GA_Attribute::Kind kind,
                    GA_Storage storage, int tuple_size, double value);
  void fit_attributes();

  std::vector<GA_Offset> points_;
  std::map<GA_Offset, GA_Index> point_index_, primitive_index_;
  std::map<GA_Offset, GA_Offset> vertex_point_;
  std::vector<Primitive> primitives_;
  GA_Offset next_point_ = 1, next_vertex_ = 1, next_primitive_ = 1;
  GA_Topology topology_;
  GA_PrimitiveList primitive_list_;
  std::map<Key, std::shared_ptr<GA_Attribute>> attributes_;
  std::map<Key, std::shared_ptr<const GA_ElementGroup>> groups_;
};

class GU_DetailHandle {
 public:
  GU_DetailHandle() = default;
  explicit GU_DetailHandle(std::shared_ptr<GU_Detail> detail) : detail_(std::move(detail)) {}
  bool isNull() const { return !detail_; }
  const GU_Detail* gdp() const { return detail_.get(); }

 private:
  std::shared_ptr<GU_Detail> detail_;
};

class GU_DetailHandleAutoReadLock {
 public:
  explicit GU_DetailHandleAutoReadLock(const GU_DetailHandle& handle) : handle_(handle) {}
  const GU_Detail* getGdp() const { return handle_.gdp(); }

 private:
  GU_DetailHandle handle_;
};
