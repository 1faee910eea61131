#include "solver/host/node_parameters.h"

#include <algorithm>
#include <map>

#include "solver/elements/element_diagnostics.h"
#include "solver/host/node_ramp.h"

namespace dashpot {
namespace {

using Type = NodeParameter::Type;

NodeParameter toggle(std::string token, std::string label, bool on, std::string help) {
  return {std::move(token), std::move(label), Type::kToggle, on ? 1.0 : 0.0, "", 0, 1,
          std::move(help)};
}

std::vector<NodeParameter> sop_parameters() {
  return {
      {"resimulate", "Reset Simulation", Type::kButton, 0, "", 0, 0,
       "Forgets all frames and simulates again from the start frame."},
      {"startframe", "Start Frame", Type::kInt, 1, "", 1, 240,
       "The frame of the initial state. Before it the input passes through unchanged."},
      toggle(
          "autoresim", "Auto Reset", true,
          "Start again when an input or a parameter was edited. Off: frames that are there stay, "
          "and the node warns."),
      toggle("cacheenabled", "Cache Simulation", true,
             "Keep frames in memory, so that jumping back shows them at once. Off: jumping back "
             "simulates again."),
      {"cachemaxsize", "Cache Memory (MB)", Type::kInt, 5000, "", 1, 20000,
       "Limit of the cache. When it is full, frames are thinned out evenly; those in between are "
       "simulated again from the nearest one."},
  };
}

std::vector<NodeParameter> dop_parameters() {
  return {
      {"geo", "Geometry", Type::kText, 0, "Geometry", 0, 0,
       "Name of the data whose tets are simulated."},
      {"colliderpath", "Collider SOP", Type::kSopPath, 0, "", 0, 0,
       "Node whose VDBs the body collides with, read at the end of every step."},
  };
}

NodeParameter ramp_range(const Parameter& ramp) {
  const RampRange range = default_range(ramp);
  return {range_token(ramp),
          "Ramp Range",
          Type::kRange,
          range.low,
          "",
          0,
          2 * range.high,
          "What the left and the right end of the ramp stand for: with 0.5 1.5 its middle is the "
          "rest length, its left end squashed to half. For ramps over rate, in units of "
          "dampingreference. Beyond both ends the ramp goes on level.",
          range.high};
}

// What nodes have in common.
std::vector<NodeParameter> with_shared(std::vector<NodeParameter> list) {
  for (const Parameter& p : parameters())
    if (p.type == ParameterType::kRamp) list.push_back(ramp_range(p));
  for (const ElementDiagnostic& d : element_diagnostics()) {
    std::string label = d.token;
    label[0] = static_cast<char>(label[0] - 'a' + 'A');
    list.push_back(toggle(output_toggle(d.token), label, false,
                          "Primitive attribute " + std::string(d.token) +
                              (*d.unit ? " [" + std::string(d.unit) + "]" : "") + ": " + d.help +
                              "."));
  }
  return list;
}

// Where a parameter stands; one that is not listed goes to the end of the folder of its scope.
std::vector<DialogFolder> layout(NodeKind kind) {
  std::vector<DialogFolder> folders = {
      {"folder_simulation",
       "Simulation",
       {"startframe", "resimulate", "autoresim", "cacheenabled", "cachemaxsize", "geo", "timescale",
        "gravity"}},
      {"folder_solver",
       "Solver",
       {"integrator", "substeps", "iterations", "tolerance", "stagesolver"}},
      {"folder_material",
       "Material",
       {"material", "youngsmodulus", "poissonratio", "massdensity", "pintoanimation"}},
      {"folder_damping",
       "Damping",
       {"dampingmodel", "dampingshear", "dampingbulk", "dampingtime", "dampingstrength",
        "dampingexponent", "dampingreference", "dampingrampmode", "dampingramprange", "dampingramp",
        "laplaciandamping", "conserveangular", "massdamping"}},
      {"folder_colliders", "Colliders", {"colliderpath", "friction", "restitution"}},
      {"folder_output", "Output", {}},
  };
  for (const ElementDiagnostic& d : element_diagnostics())
    folders.back().tokens.push_back(output_toggle(d.token));
  if (kind == NodeKind::kDop) {
    // The network's own forces say what gravity is.
    auto& tokens = folders.front().tokens;
    tokens.erase(std::remove(tokens.begin(), tokens.end(), "gravity"), tokens.end());
  }
  return folders;
}

}  // namespace

std::string output_toggle(const std::string& diagnostic) {
  return "output" + diagnostic;
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
  std::vector<DialogFolder> folders = layout(kind);
  std::map<std::string, bool> placed;
  for (DialogFolder& folder : folders) {
    auto& tokens = folder.tokens;
    tokens.erase(std::remove_if(tokens.begin(), tokens.end(),
                                [&](const std::string& token) {
                                  return !find_parameter(token) &&
                                         !find_node_parameter(kind, token);
                                }),
                 tokens.end());
    for (const std::string& token : tokens) placed[token] = true;
  }
  for (const Parameter& p : parameters()) {
    if (placed[p.token] || (kind == NodeKind::kDop && p.token == "gravity")) continue;
    folders[p.scope == ParameterScope::kSolver ? 1 : 2].tokens.push_back(p.token);
  }
  return folders;
}

std::string disable_rule(const std::string& token) {
  static const std::string kNoRate = "{ dampingmodel == none }";
  static const std::map<std::string, std::string> rules = {
      {"poissonratio", "{ material == arap }"},
      {"dampingshear", "{ dampingmodel != strainrate }"},
      {"dampingbulk", "{ dampingmodel != strainrate }"},
      {"dampingtime",
       "{ dampingmodel == none } { dampingmodel == strainrate } { dampingmodel == stretchrate }"},
      {"dampingstrength", "{ dampingmodel != stretchrate }"},
      {"dampingexponent", kNoRate},
      {"dampingreference", kNoRate + " { dampingexponent == 1 dampingrampmode != perrate }"},
      {"dampingrampmode", kNoRate},
      {"dampingramp", kNoRate + " { dampingrampmode == off }"},
      {"dampingramprange", kNoRate + " { dampingrampmode == off }"},
      {"conserveangular",
       "{ dampingmodel != rayleigh dampingmodel != rayleighlagged laplaciandamping == 0 }"},
      {"cachemaxsize", "{ cacheenabled == 0 }"},
  };
  const auto found = rules.find(token);
  return found == rules.end() ? "" : found->second;
}

}  // namespace dashpot
