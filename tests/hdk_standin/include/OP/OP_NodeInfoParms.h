#pragma once

#include <string>

class OP_NodeInfoParms {
 public:
  void append(const char* text) { text_ += text; }
  const std::string& text() const { return text_; }  // for tests

 private:
  std::string text_;
};
