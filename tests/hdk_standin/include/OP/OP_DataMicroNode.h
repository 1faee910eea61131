#pragma once

#include "SYS/SYS_Types.h"

typedef int64 OP_VERSION;

// What the dependency graph knows of a node's data.
class OP_DataMicroNode {
 public:
  // Counts how often the data became dirty: edits of the node and of all that it depends on. Time
  // is no edit, and neither is unloading.
  OP_VERSION modVersion() const { return version_; }
  bool hasContextOptionDeps() const { return uses_context_options; }

  // For the stand-in and for tests.
  void bump() { ++version_; }
  bool uses_context_options = false;

 private:
  OP_VERSION version_ = 1;
};
