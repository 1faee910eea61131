#pragma once

#include <set>

#include "GA/GA_Attribute.h"

// Points or primitives by offset. In Houdini, too, a group is an attribute of its own kind.
class GA_ElementGroup : public GA_Attribute {
 public:
  GA_ElementGroup(GA_AttributeOwner owner, std::string name, std::set<GA_Offset> members)
      : GA_Attribute(owner, std::move(name), Kind::kNumeric, GA_STORE_INT32, 1),
        members_(std::move(members)) {}

  bool contains(GA_Offset offset) const { return members_.count(offset) > 0; }

 private:
  std::set<GA_Offset> members_;
};
