#pragma once

#include <set>

#include "OP/OP_Node.h"

class OP_AutoLockInputs {
 public:
  explicit OP_AutoLockInputs(OP_Node* node = nullptr) : node_(node) {}
  ~OP_AutoLockInputs() {
    for (const exint input : locked_) node_->unlockInput(static_cast<unsigned>(input));
  }
  OP_AutoLockInputs(const OP_AutoLockInputs&) = delete;
  OP_AutoLockInputs& operator=(const OP_AutoLockInputs&) = delete;

  OP_ERROR lockInput(exint input, OP_Context& context) {
    const OP_ERROR result = node_->lockInput(static_cast<unsigned>(input), context);
    if (result < UT_ERROR_ABORT) locked_.insert(input);
    return result;
  }

 private:
  OP_Node* node_;
  std::set<exint> locked_;
};
