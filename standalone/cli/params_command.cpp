#include <cmath>
#include <cstdio>
#include <sstream>

#include "solver/host/dialog_script.h"
#include "solver/parameters/parameters.h"
#include "standalone/cli/json.h"
#include "standalone/cli/print_formats.h"

namespace dashpot {
namespace {

std::string text(double number) {
  std::ostringstream out;
  out << number;
  return out.str();
}

std::string scope_text(ParameterScope scope) {
  if (scope == ParameterScope::kSolver) return "solver";
  if (scope == ParameterScope::kBody) return "body";
  if (scope == ParameterScope::kCollider) return "collider";
  return scope == ParameterScope::kPrim ? "prim" : "point";
}

std::string type_text(ParameterType type) {
  if (type == ParameterType::kMenu) return "menu";
  if (type == ParameterType::kVector3) return "vector";
  if (type == ParameterType::kRamp) return "ramp";
  if (type == ParameterType::kBool) return "bool";
  return type == ParameterType::kInt ? "int" : "float";
}

std::string ramp_text(const std::vector<RampKey>& keys) {
  std::string list;
  for (const RampKey& key : keys)
    list += (list.empty() ? "[" : ", [") + text(key.position) + ", " + text(key.value) + "]";
  return "{ keys = [" + list + "] }";
}

std::string default_text(const Parameter& p) {
  if (p.type == ParameterType::kMenu) return p.menu[static_cast<std::size_t>(p.number)].token;
  if (p.type == ParameterType::kVector3)
    return "[" + text(p.vector.x()) + ", " + text(p.vector.y()) + ", " + text(p.vector.z()) + "]";
  if (p.type == ParameterType::kRamp) return ramp_text(p.ramp);
  if (p.type == ParameterType::kBool) return p.number != 0 ? "true" : "false";
  return text(p.number);
}

std::string range_text(const Parameter& p) {
  if (p.type == ParameterType::kMenu) {
    std::string items;
    for (const MenuItem& item : p.menu) items += (items.empty() ? "" : " ") + item.token;
    return items;
  }
  if (p.type == ParameterType::kVector3) return "any";
  if (p.type == ParameterType::kBool) return "true false";
  if (p.type == ParameterType::kRamp) return "keys [position, value >= 0]; interp";
  std::string low = (p.min_excluded ? "> " : ">= ") + text(p.min);
  if (std::isinf(p.max)) return low;
  return low + (p.max_excluded ? ", < " : ", <= ") + text(p.max);
}

void print_text() {
  for (const Parameter& p : parameters()) {
    std::printf("%s (%s, %s)%s%s\n", p.token.c_str(), scope_text(p.scope).c_str(),
                type_text(p.type).c_str(), p.unit.empty() ? "" : ", ", p.unit.c_str());
    std::printf("    default %s; %s\n    %s\n\n", default_text(p).c_str(), range_text(p).c_str(),
                p.help.c_str());
  }
}

Json declaration_json(const Parameter& p) {
  Json json = {{"token", p.token},          {"label", p.label}, {"scope", scope_text(p.scope)},
               {"type", type_text(p.type)}, {"unit", p.unit},   {"help", p.help}};
  if (p.type == ParameterType::kVector3) {
    json["default"] = {p.vector.x(), p.vector.y(), p.vector.z()};
  } else if (p.type == ParameterType::kMenu) {
    json["default"] = default_text(p);
    for (const MenuItem& item : p.menu)
      json["menu"].push_back({{"token", item.token}, {"label", item.label}});
  } else if (p.type == ParameterType::kRamp) {
    for (const RampKey& key : p.ramp)
      json["default"].push_back(
          {{"position", key.position},
           {"value", key.value},
           {"interpolation",
            ramp_interpolations()[static_cast<std::size_t>(key.interpolation)].token}});
  } else if (p.type == ParameterType::kBool) {
    json["default"] = p.number != 0;
  } else {
    json["default"] = p.number;
    json["min"] = p.min;
    json["min_excluded"] = p.min_excluded;
    json["max"] = p.max;
    json["max_excluded"] = p.max_excluded;
  }
  return json;
}

void print_json() {
  Json list = Json::array();
  for (const Parameter& p : parameters()) list.push_back(declaration_json(p));
  std::printf("%s\n", list.dump(2).c_str());
}

// Coefficients of colliders that bodies have too are in both lists.
bool belongs_to(ParameterScope scope, const Parameter& p) {
  return p.scope == scope || (scope == ParameterScope::kBody && p.is_of_body_contact());
}

void print_markdown_section(ParameterScope scope, const char* title, const char* introduction) {
  std::printf("\n## %s\n\n%s\n\n", title, introduction);
  std::printf("| token | default | unit | values | meaning |\n|---|---|---|---|---|\n");
  for (const Parameter& p : parameters())
    if (belongs_to(scope, p))
      std::printf("| `%s` | `%s` | %s | %s | %s |\n", p.token.c_str(), default_text(p).c_str(),
                  p.unit.c_str(), range_text(p).c_str(), p.help.c_str());
}

void print_markdown() {
  std::printf("<!-- Made by `dashpot params --markdown`; do not edit. -->\n# Parameters\n");
  print_markdown_section(ParameterScope::kSolver, "Of the simulation",
                         "Keys of `[simulation]` in a scene file.");
  print_markdown_section(ParameterScope::kPrim, "Of a body",
                         "Keys of `[[body]]`: one value for all tets of the body.");
  print_markdown_section(ParameterScope::kBody, "Of a body as a whole",
                         "Keys of `[[body]]` that cannot differ between its tets.");
  print_markdown_section(ParameterScope::kPoint, "Of points",
                         "Keys of `[[body]]`: one value for all points of the body.");
  print_markdown_section(ParameterScope::kCollider, "Of a collider", "Keys of `[[collider]]`.");
}

}  // namespace

void add_params_command(CLI::App& app, Action& action) {
  const std::vector<PrintFormat> formats = {
      {"--json", "As JSON", print_json},
      {"--markdown", "As the reference page docs/parameters.md", print_markdown},
      {"--houdini", "Those of the Houdini nodes, as the page docs/houdini_parameters.md",
       [] { std::fputs(node_parameters_page().c_str(), stdout); }},
      {"--sop-dialog", "The dialog script of the SOP",
       [] { std::fputs(dialog_script(NodeKind::kSop).c_str(), stdout); }},
      {"--dop-dialog", "The dialog script of the DOP",
       [] { std::fputs(dialog_script(NodeKind::kDop).c_str(), stdout); }},
      {"--sop-help", "The help page of the SOP",
       [] { std::fputs(node_help(NodeKind::kSop).c_str(), stdout); }},
      {"--dop-help", "The help page of the DOP",
       [] { std::fputs(node_help(NodeKind::kDop).c_str(), stdout); }},
  };
  add_print_formats(*app.add_subcommand("params", "List every parameter"), print_text, formats,
                    action);
}

}  // namespace dashpot
