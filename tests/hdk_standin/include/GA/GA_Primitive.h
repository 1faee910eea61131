#pragma once

#include "GA/GA_Types.h"

class GA_Primitive {
 public:
  GA_Primitive(GA_PrimitiveTypeId type, GA_Offset offset) : type_(type), offset_(offset) {}
  virtual ~GA_Primitive() = default;
  const GA_PrimitiveTypeId& getTypeId() const { return type_; }
  GA_Offset getMapOffset() const { return offset_; }

 private:
  GA_PrimitiveTypeId type_;
  GA_Offset offset_;
};

class GA_OffsetListRef {
 public:
  GA_OffsetListRef(const GA_Offset* first, GA_Size count) : first_(first), count_(count) {}
  GA_Size size() const { return count_; }
  GA_Offset operator()(GA_Size i) const { return first_[i]; }

 private:
  const GA_Offset* first_;
  GA_Size count_;
};
