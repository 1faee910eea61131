#pragma once

#include <string>
#include <vector>

#include "PRM/PRM_TemplateBuilder.h"

class CH_LocalVariable;
class OP_Network;
class OP_Node;
class OP_Operator;
typedef OP_Node* (*OP_Constructor)(OP_Network*, const char*, OP_Operator*);

class OP_Operator {
 public:
  OP_Operator(const char* name, const char* english, OP_Constructor construct,
              PRM_Template* templates, unsigned min_sources, unsigned max_sources = 9999,
              CH_LocalVariable* variables = nullptr, unsigned flags = 0,
              const char** inputlabels = nullptr, int maxoutputs = 1,
              const char* tab_submenu_path = nullptr);
  virtual ~OP_Operator() = default;
  void setIconName(const char* icon) { icon_ = icon; }

  // For tests.
  const std::string& name() const { return name_; }
  const std::string& tab_submenu() const { return tab_submenu_; }
  const std::vector<std::string>& input_labels() const { return input_labels_; }
  unsigned min_sources() const { return min_sources_; }
  unsigned max_sources() const { return max_sources_; }
  const PRM_Template* templates() const { return templates_; }
  OP_Node* create(OP_Network* parent, const char* node_name) {
    return construct_(parent, node_name, this);
  }

 private:
  std::string name_, label_, icon_, tab_submenu_;
  OP_Constructor construct_;
  PRM_Template* templates_;
  unsigned min_sources_, max_sources_;
  std::vector<std::string> input_labels_;
};
