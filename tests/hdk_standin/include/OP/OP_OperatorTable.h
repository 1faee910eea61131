#pragma once

#include <memory>
#include <vector>

#include "OP/OP_Operator.h"

// Owns the operators.
class OP_OperatorTable {
 public:
  bool addOperator(OP_Operator* op) {
    for (const auto& other : operators_)
      if (other->name() == op->name()) return false;
    operators_.emplace_back(op);
    return true;
  }
  OP_Operator* find(const std::string& name) const {  // for tests
    for (const auto& op : operators_)
      if (op->name() == name) return op.get();
    return nullptr;
  }

 private:
  std::vector<std::unique_ptr<OP_Operator>> operators_;
};
