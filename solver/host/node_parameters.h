#pragma once

#include <string>
#include <vector>

#include "solver/parameters/parameters.h"

namespace dashpot {

// The dialogs of Dashpot's nodes: the declared parameters and those that only a node has, each in
// the folder that it names. dialog_script.h writes them down for Houdini; docs/houdini.md lists
// them.

enum class NodeKind { kSop, kDop };

// Parameters that are about the node and not about the motion; scene files do not have them.
struct NodeParameter {
  enum class Type { kInt, kToggle, kButton, kText, kSopPath, kRange };
  std::string token, label;
  Type type = Type::kToggle;
  ParameterFolder folder = ParameterFolder::kSimulation;
  double number = 0.0;  // default of kInt and kToggle, the lower one of kRange
  std::string text;     // default of kText
  double slider_min = 0.0, slider_max = 0.0;
  std::string help;
  double high = 0.0;            // the upper default of kRange
  std::string disabled_when{};  // as that of declared parameters
};

struct DialogFolder {
  std::string token, label;
  std::vector<std::string> tokens;  // in order; of declared and of node parameters
};

// Whether a node has a declared parameter.
bool node_has(NodeKind kind, const Parameter& declaration);

const std::vector<NodeParameter>& node_parameters(NodeKind kind);
// nullptr if there is none.
const NodeParameter* find_node_parameter(NodeKind kind, const std::string& token);

// Every declared parameter that the node has and every node parameter is in exactly one folder.
std::vector<DialogFolder> dialog_folders(NodeKind kind);

// The toggle that writes a diagnostic as an attribute.
std::string output_toggle(const std::string& diagnostic);

}  // namespace dashpot
