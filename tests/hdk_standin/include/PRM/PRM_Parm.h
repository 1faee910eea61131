#pragma once

#include <string>

// A parameter of a node, by name.
class PRM_Parm {
 public:
  explicit PRM_Parm(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }  // for the stand-in

 private:
  std::string name_;
};
