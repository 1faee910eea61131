#pragma once

#include <map>
#include <string>

// Maps of names to values; Houdini's has more kinds of branches.
class UT_InfoTree {
 public:
  UT_InfoTree* addChildMap(const char* name) { return &children[name]; }
  void addProperties(const char* name, const char* value) { properties[name] = value; }

  std::map<std::string, UT_InfoTree> children;  // for tests
  std::map<std::string, std::string> properties;
};
