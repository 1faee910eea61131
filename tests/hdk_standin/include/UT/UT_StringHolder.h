#pragma once

#include <cstring>
#include <string>

// Does not own its text, as Houdini's: whoever keeps one longer than the text reads freed memory.
class UT_StringRef {
 public:
  UT_StringRef(const char* text = "") : text_(text ? text : "") {}

  const char* c_str() const { return text_; }
  bool isstring() const { return *text_ != '\0'; }
  std::string toStdString() const { return text_; }
  bool operator==(const UT_StringRef& other) const { return std::strcmp(text_, other.text_) == 0; }

 protected:
  const char* text_;
};

class UT_StringHolder : public UT_StringRef {
 public:
  UT_StringHolder(const char* text = "") : owned_(text ? text : "") { text_ = owned_.c_str(); }
  UT_StringHolder(const std::string& text) : owned_(text) { text_ = owned_.c_str(); }
  UT_StringHolder(const UT_StringHolder& other) : UT_StringHolder(other.owned_) {}
  UT_StringHolder& operator=(const UT_StringHolder& other) {
    owned_ = other.owned_;
    text_ = owned_.c_str();
    return *this;
  }

 private:
  std::string owned_;
};
