#include "solver/host/node_parameters.h"

#include <utility>

#include "solver/elements/element_diagnostics.h"
#include "solver/host/node_ramp.h"
#include "solver/host/point_contacts.h"

namespace dashpot {
namespace {

using Folder = ParameterFolder;
using Type = NodeParameter::Type;

NodeParameter toggle(std::string token, std::string label, bool on, std::string help) {
  NodeParameter made;
  made.token = std::move(token);
  made.label = std::move(label);
  made.number = on ? 1 : 0;
  made.help = std::move(help);
  return made;
}

std::vector<NodeParameter> sop_parameters() {
  return {
      {"startframe", "Start Frame", Type::kInt, Folder::kSimulation, 1, "", 1, 240,
       "The frame of the initial state. Before it the input passes through unchanged."},
      {"resimulate", "Reset Simulation", Type::kButton, Folder::kSimulation, 0, "", 0, 0,
       "Forgets all frames and simulates again from the start frame."},
      toggle(
          "autoresim", "Auto Reset", true,
          "Start again when an input or a parameter was edited. Off: frames that are there stay, "
          "and the node warns."),
      toggle("cacheenabled", "Cache Simulation", true,
             "Keep frames in memory, so that jumping back shows them at once. Off: jumping back "
             "simulates again."),
      {"cachemaxsize", "Cache Memory (MB)", Type::kInt, Folder::kSimulation, 5000, "", 1, 20000,
       "Limit of the cache. When it is full, frames are thinned out evenly; those in between are "
       "simulated again from the nearest one.",
       0, "{ cacheenabled == 0 }"},
  };
}

std::vector<NodeParameter> dop_parameters() {
  return {
      {"geo", "Geometry", Type::kText, Folder::kSimulation, 0, "Geometry", 0, 0,
       "Name of the data whose tets are simulated."},
      {"colliderpath", "Collider SOP", Type::kSopPath, Folder::kContact, 0, "", 0, 0,
       "Node whose VDBs the body collides with, read at the end of every step."},
  };
}

NodeParameter ramp_range(const Parameter& ramp) {
  const RampRange range = default_range(ramp);
  return {range_token(ramp),
          "Ramp Range",
          Type::kRange,
          ramp.folder,
          range.low,
          "",
          0,
          2 * range.high,
          "What the left and the right end of the ramp stand for: with 0.5 1.5 its middle is the "
          "rest length, its left end squashed to half. For ramps over rate, in units of "
          "dampingreference. Beyond both ends the ramp goes on level.",
          range.high,
          ramp.disabled_when};
}

NodeParameter output_parameter(const ElementDiagnostic& diagnostic) {
  std::string label = diagnostic.token;
  label[0] = static_cast<char>(label[0] - 'a' + 'A');
  NodeParameter made =
      toggle(output_toggle(diagnostic.token), label, false,
             "Primitive attribute " + std::string(diagnostic.token) +
                 (*diagnostic.unit ? " [" + std::string(diagnostic.unit) + "]" : "") + ": " +
                 diagnostic.help + ".");
  made.folder = Folder::kOutput;
  return made;
}

// What nodes have in common.
std::vector<NodeParameter> with_shared(std::vector<NodeParameter> list) {
  for (const Parameter& p : parameters())
    if (p.type == ParameterType::kRamp) list.push_back(ramp_range(p));
  for (const ElementDiagnostic& d : element_diagnostics()) list.push_back(output_parameter(d));
  list.push_back(toggle(output_toggle(kContactsToken), "Contacts", false,
                        std::string("Point attributes ") + kContactForce +
                            " [N]: sum of the contact forces on the point; and " + kContactSlip +
                            ": 0 touches nothing, 1 sticks, 2 slips."));
  list.back().folder = Folder::kOutput;
  list.push_back(toggle(output_toggle(kContactColorToken), "Contact Colors", false,
                        "Point attribute Cd: blue sticks, orange slips, grey touches nothing. What "
                        "the points had as Cd is overwritten."));
  list.back().folder = Folder::kOutput;
  list.back().disabled_when = "{ " + output_toggle(kContactsToken) + " == 0 }";
  return list;
}

// What a node has of its own, then what may differ between bodies, then what is one for all. The
// range of a ramp stands before it.
std::vector<std::string> tokens_in(Folder folder, NodeKind kind) {
  std::vector<std::string> tokens;
  for (const NodeParameter& p : node_parameters(kind))
    if (p.folder == folder && p.type != Type::kRange) tokens.push_back(p.token);
  for (const bool of_solver : {false, true})
    for (const Parameter& p : parameters()) {
      if (p.folder != folder || (p.scope == ParameterScope::kSolver) != of_solver) continue;
      if (p.type == ParameterType::kRamp) tokens.push_back(range_token(p));
      if (node_has(kind, p)) tokens.push_back(p.token);
    }
  return tokens;
}

}  // namespace

std::string output_toggle(const std::string& diagnostic) {
  return "output" + diagnostic;
}

bool node_has(NodeKind kind, const Parameter& declaration) {
  // The network's own forces say what gravity is.
  return kind == NodeKind::kSop || declaration.token != "gravity";
}

const std::vector<NodeParameter>& node_parameters(NodeKind kind) {
  static const std::vector<NodeParameter> sop = with_shared(sop_parameters());
  static const std::vector<NodeParameter> dop = with_shared(dop_parameters());
  return kind == NodeKind::kSop ? sop : dop;
}

const NodeParameter* find_node_parameter(NodeKind kind, const std::string& token) {
  for (const NodeParameter& p : node_parameters(kind))
    if (p.token == token) return &p;
  return nullptr;
}

std::vector<DialogFolder> dialog_folders(NodeKind kind) {
  const auto folder = [kind](Folder which, const char* token, const char* label) {
    return DialogFolder{token, label, tokens_in(which, kind)};
  };
  return {folder(Folder::kSimulation, "folder_simulation", "Simulation"),
          folder(Folder::kSolver, "folder_solver", "Solver"),
          folder(Folder::kMaterial, "folder_material", "Material"),
          folder(Folder::kDamping, "folder_damping", "Damping"),
          folder(Folder::kContact, "folder_contact", "Contact"),
          folder(Folder::kOutput, "folder_output", "Output")};
}

}  // namespace dashpot
