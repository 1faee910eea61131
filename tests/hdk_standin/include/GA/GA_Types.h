#pragma once

#include "SYS/SYS_Types.h"

typedef exint GA_Offset;
typedef exint GA_Index;
typedef exint GA_Size;
typedef int64 GA_DataId;

enum GA_AttributeOwner {
  GA_ATTRIB_VERTEX,
  GA_ATTRIB_POINT,
  GA_ATTRIB_PRIMITIVE,
  GA_ATTRIB_DETAIL,
  GA_ATTRIB_OWNER_N
};
enum GA_Storage { GA_STORE_INT32, GA_STORE_INT64, GA_STORE_REAL32, GA_STORE_REAL64 };
enum GA_TypeInfo { GA_TYPE_VOID, GA_TYPE_POINT, GA_TYPE_VECTOR, GA_TYPE_NORMAL };

class GA_PrimitiveTypeId {
 public:
  explicit constexpr GA_PrimitiveTypeId(int id) : id_(id) {}
  constexpr int get() const { return id_; }
  constexpr bool operator==(const GA_PrimitiveTypeId& other) const { return id_ == other.id_; }
  constexpr bool operator!=(const GA_PrimitiveTypeId& other) const { return id_ != other.id_; }

 private:
  int id_;
};

class GA_Defaults {
 public:
  explicit GA_Defaults(double value) : value_(value) {}
  double value() const { return value_; }

 private:
  double value_;
};
