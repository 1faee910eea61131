#pragma once

#include <string>
#include <vector>

#include "GA/GA_Types.h"
#include "UT/UT_Array.h"
#include "UT/UT_StringHolder.h"

// Values are kept by offset and rounded to the storage as Houdini's are.
class GA_Attribute {
 public:
  enum class Kind { kNumeric, kString, kIntArray };

  GA_Attribute(GA_AttributeOwner owner, std::string name, Kind kind, GA_Storage storage,
               int tuple_size)
      : owner_(owner),
        name_(std::move(name)),
        kind_(kind),
        storage_(storage),
        tuple_size_(tuple_size),
        data_id_(next_data_id()) {}

  const UT_StringHolder getName() const { return UT_StringHolder(name_); }
  GA_DataId getDataId() const { return data_id_; }
  void bumpDataId() { data_id_ = next_data_id(); }
  void setTypeInfo(GA_TypeInfo info) { type_info_ = info; }
  GA_TypeInfo getTypeInfo() const { return type_info_; }
  int getTupleSize() const { return tuple_size_; }

  // What follows is for the stand-in's own classes and for tests.
  GA_AttributeOwner owner() const { return owner_; }
  const std::string& name() const { return name_; }
  Kind kind() const { return kind_; }
  GA_Storage storage() const { return storage_; }
  void resize(std::size_t offsets, double value = 0);
  double number(GA_Offset offset, int component) const {
    return numbers_.at(static_cast<std::size_t>(offset * tuple_size_ + component));
  }
  void set_number(GA_Offset offset, int component, double value);
  std::vector<std::string> texts;
  std::vector<UT_Int64Array> arrays;

  static GA_DataId next_data_id();

 private:
  GA_AttributeOwner owner_;
  std::string name_;
  Kind kind_;
  GA_Storage storage_;
  int tuple_size_;
  GA_TypeInfo type_info_ = GA_TYPE_VOID;
  GA_DataId data_id_;
  std::vector<double> numbers_;
};
