#pragma once

#include <string>

// Houdini's UT_StringRef does not own its text, UT_StringHolder does; here both do.
class UT_StringHolder {
 public:
  UT_StringHolder() = default;
  UT_StringHolder(const char* text) : text_(text ? text : "") {}
  UT_StringHolder(const std::string& text) : text_(text) {}

  const char* c_str() const { return text_.c_str(); }
  bool isstring() const { return !text_.empty(); }
  const std::string& toStdString() const { return text_; }
  bool operator==(const UT_StringHolder& other) const { return text_ == other.text_; }
  bool operator<(const UT_StringHolder& other) const { return text_ < other.text_; }

 private:
  std::string text_;
};
typedef UT_StringHolder UT_StringRef;
