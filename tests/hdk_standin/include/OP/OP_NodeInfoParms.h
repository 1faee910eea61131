#pragma once

#include <string>

#include "SYS/SYS_Types.h"

class OP_NodeInfoParms {
 public:
  void append(const char* text) { text_ += text; }
  const std::string& text() const { return text_; }  // for tests

 private:
  std::string text_;
};

class OP_NodeInfoTreeParms {
 public:
  explicit OP_NodeInfoTreeParms(fpreal time) : time_(time) {}
  fpreal getTime() const { return time_; }

 private:
  fpreal time_;
};
