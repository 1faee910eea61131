#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "SYS/SYS_Types.h"
#include "UT/UT_StringHolder.h"

class PRM_Template;
typedef int (*PRM_Callback)(void* data, int index, fpreal t, const PRM_Template* templ);

// What the stand-in knows of a parameter. In Houdini a PRM_Template is one entry of an array that
// ends with an empty one; here it carries what the dialog script said.
class PRM_Template {
 public:
  std::string name, label, type, help, disable_when, folder;
  int size = 1;
  std::vector<std::string> defaults;
  std::vector<std::pair<std::string, std::string>> menu;
  std::string range;
  // A limit that is marked with an exclamation mark holds for values, not only for the slider.
  double hard_min() const;
  double hard_max() const;
  std::map<std::string, std::string> tags;
  PRM_Callback callback = nullptr;
};

// Reads Houdini's dialog script language, as far as ours goes, and refuses what it does not know.
class PRM_TemplateBuilder {
 public:
  PRM_TemplateBuilder(const UT_StringHolder& name, const char* dstext);
  PRM_Template* templates() { return templates_.data(); }
  void setCallback(const UT_StringRef& name, PRM_Callback callback);
  bool justBuilt();

 private:
  std::vector<PRM_Template> templates_;  // the last one is empty
  bool just_built_ = true;
};
