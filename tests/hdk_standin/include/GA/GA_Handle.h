#pragma once

#include "GA/GA_Attribute.h"
#include "UT/UT_Vector3.h"

class GA_Detail;

namespace standin {

// Binds to numeric attributes of any storage, as Houdini's handles do.
inline GA_Attribute* bindable(GA_Attribute* attribute, GA_Attribute::Kind kind, int least) {
  return attribute && attribute->kind() == kind && attribute->getTupleSize() >= least ? attribute
                                                                                      : nullptr;
}

}  // namespace standin

class GA_ROHandleD {
 public:
  GA_ROHandleD() = default;
  GA_ROHandleD(const GA_Attribute* attribute)
      : attribute_(standin::bindable(const_cast<GA_Attribute*>(attribute),
                                     GA_Attribute::Kind::kNumeric, 1)) {}
  bool isValid() const { return attribute_ != nullptr; }
  int getTupleSize() const { return attribute_->getTupleSize(); }
  fpreal64 get(GA_Offset offset, int component = 0) const {
    return attribute_->number(offset, component);
  }

 protected:
  GA_Attribute* attribute_ = nullptr;
};

class GA_RWHandleD : public GA_ROHandleD {
 public:
  GA_RWHandleD(GA_Attribute* attribute) : GA_ROHandleD(attribute) {}
  void set(GA_Offset offset, fpreal64 value) const { attribute_->set_number(offset, 0, value); }
  void bumpDataId() const { attribute_->bumpDataId(); }
};

class GA_RWHandleV3D {
 public:
  GA_RWHandleV3D(GA_Attribute* attribute)
      : attribute_(standin::bindable(attribute, GA_Attribute::Kind::kNumeric, 3)) {}
  bool isValid() const { return attribute_ != nullptr; }
  void set(GA_Offset offset, const UT_Vector3D& value) const {
    for (int axis = 0; axis < 3; ++axis) attribute_->set_number(offset, axis, value(axis));
  }
  UT_Vector3D get(GA_Offset offset) const {
    return {attribute_->number(offset, 0), attribute_->number(offset, 1),
            attribute_->number(offset, 2)};
  }
  void bumpDataId() const { attribute_->bumpDataId(); }

 private:
  GA_Attribute* attribute_;
};

class GA_ROHandleS {
 public:
  GA_ROHandleS() = default;
  GA_ROHandleS(const GA_Attribute* attribute)
      : attribute_(standin::bindable(const_cast<GA_Attribute*>(attribute),
                                     GA_Attribute::Kind::kString, 1)) {}
  bool isValid() const { return attribute_ != nullptr; }
  UT_StringHolder get(GA_Offset offset) const {
    return UT_StringHolder(attribute_->texts.at(static_cast<std::size_t>(offset)));
  }

 private:
  const GA_Attribute* attribute_ = nullptr;
};

// Houdini's are templates over the array type: IDA stands for arrays of int64.
class GA_ROHandleIDA {
 public:
  GA_ROHandleIDA(const GA_Attribute* attribute)
      : attribute_(standin::bindable(const_cast<GA_Attribute*>(attribute),
                                     GA_Attribute::Kind::kIntArray, 1)) {}
  bool isValid() const { return attribute_ != nullptr; }
  void get(GA_Offset offset, UT_Int64Array& value) const {
    value = attribute_->arrays.at(static_cast<std::size_t>(offset));
  }

 protected:
  GA_Attribute* attribute_ = nullptr;
};

class GA_RWHandleIDA : public GA_ROHandleIDA {
 public:
  GA_RWHandleIDA(GA_Attribute* attribute) : GA_ROHandleIDA(attribute) {}
  void set(GA_Offset offset, const UT_Int64Array& value) const {
    attribute_->arrays.at(static_cast<std::size_t>(offset)) = value;
  }
  void bumpDataId() const { attribute_->bumpDataId(); }
};
