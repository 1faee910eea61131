#include "solver/host/dialog_script.h"

#include "solver/host/node_ramp.h"

#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace dashpot {
namespace {

// The shortest text that reads back as the same number, as far as streams go.
std::string number_text(double value) {
  for (const int digits : {15, 17}) {
    std::ostringstream out;
    out << std::setprecision(digits) << value;
    double back = 0;
    std::istringstream(out.str()) >> back;
    if (back == value || digits == 17) return out.str();
  }
  return "";
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

class ParmWriter {
 public:
  ParmWriter(std::ostream& out, const std::string& token, const std::string& label,
             const char* type)
      : out_(out) {
    out_ << "        parm {\n";
    line("name", quoted(token));
    line("label", quoted(label));
    line("type", type);
  }
  ~ParmWriter() { out_ << "        }\n"; }
  ParmWriter(const ParmWriter&) = delete;
  ParmWriter& operator=(const ParmWriter&) = delete;

  void line(const char* key, const std::string& value) const {
    out_ << "            " << std::left << std::setw(12) << key << value << "\n";
  }
  // A limit of the slider that is also a limit of the value is marked with an exclamation mark.
  void range(double low, bool low_is_hard, double high, bool high_is_hard) const {
    line("range", "{ " + number_text(low) + (low_is_hard ? "! " : " ") + number_text(high) +
                      (high_is_hard ? "!" : "") + " }");
  }
  void ending(const std::string& rule, const std::string& help) const {
    if (!rule.empty()) line("disablewhen", quoted(rule));
    line("help", quoted(help));
  }

 private:
  std::ostream& out_;
};

std::string label_with_unit(const Parameter& p) {
  return p.unit.empty() ? p.label : p.label + " (" + p.unit + ")";
}

const char* ds_type(const Parameter& p) {
  if (p.type == ParameterType::kRamp) return "ramp_flt";
  if (p.type == ParameterType::kMenu) return "ordinal";
  if (p.type == ParameterType::kVector3) return "vector";
  if (p.type == ParameterType::kBool) return "toggle";
  if (p.type == ParameterType::kInt) return "integer";
  return p.logarithmic ? "log" : "float";
}

void write_menu(std::ostream& out, const Parameter& p) {
  out << "            menu {\n";
  for (const MenuItem& item : p.menu)
    out << "                " << quoted(item.token) << " " << quoted(item.label) << "\n";
  out << "            }\n";
}

// Houdini's own form of a ramp's default keys: 1pos ( 0 ) 1value ( 1 ) 1interp ( linear ) 2pos …
std::string ramp_keys_text(const std::vector<RampKey>& keys) {
  std::ostringstream text;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const RampKey& key = keys[i];
    const std::size_t n = i + 1;
    const auto item = static_cast<std::size_t>(key.interpolation);
    text << (i ? " " : "") << n << "pos ( " << number_text(key.position) << " ) " << n << "value ( "
         << number_text(key.value) << " ) " << n << "interp ( " << ramp_interpolations()[item].token
         << " )";
  }
  return text.str();
}

void write_declared(std::ostream& out, const Parameter& p) {
  const ParmWriter parm(out, p.token, label_with_unit(p), ds_type(p));
  if (p.type == ParameterType::kRamp) {
    parm.line("default", "{ " + quoted(std::to_string(p.ramp.size())) + " }");
    parm.line("range", "{ 1! 10 }");
    parm.line("parmtag",
              "{ \"rampfloatdefault\" " + quoted(ramp_keys_text(node_ramp(p, p.ramp).keys)) + " }");
    parm.ending(p.disabled_when, p.help);
    return;
  }
  if (p.type == ParameterType::kVector3) {
    parm.line("size", "3");
    parm.line("default", "{ " + quoted(number_text(p.vector.x())) + " " +
                             quoted(number_text(p.vector.y())) + " " +
                             quoted(number_text(p.vector.z())) + " }");
    parm.range(p.slider_min, false, p.slider_max, false);
  } else {
    parm.line("default", "{ " + quoted(number_text(p.number)) + " }");
    if (p.type == ParameterType::kMenu)
      write_menu(out, p);
    else if (p.type != ParameterType::kBool)
      parm.range(p.slider_min, p.slider_min == p.min && !p.min_excluded, p.slider_max,
                 p.slider_max == p.max && !p.max_excluded);
  }
  parm.ending(p.disabled_when, p.help);
}

void write_own(std::ostream& out, const NodeParameter& p) {
  using Type = NodeParameter::Type;
  const char* type = p.type == Type::kInt      ? "integer"
                     : p.type == Type::kToggle ? "toggle"
                     : p.type == Type::kButton ? "button"
                     : p.type == Type::kText   ? "string"
                     : p.type == Type::kRange  ? "float"
                                               : "oppath";
  const ParmWriter parm(out, p.token, p.label, type);
  const bool is_text = p.type == Type::kText || p.type == Type::kSopPath;
  if (p.type == Type::kRange) {
    parm.line("size", "2");
    parm.line("default",
              "{ " + quoted(number_text(p.number)) + " " + quoted(number_text(p.high)) + " }");
  } else {
    parm.line("default", "{ " + quoted(is_text ? p.text : number_text(p.number)) + " }");
  }
  if (p.type == Type::kInt || p.type == Type::kRange)
    parm.range(p.slider_min, false, p.slider_max, false);
  if (p.type == Type::kSopPath) parm.line("parmtag", "{ \"opfilter\" \"!!SOP!!\" }");
  parm.ending(p.disabled_when, p.help);
}

std::string default_words(const Parameter& p) {
  if (p.type == ParameterType::kRamp) {
    std::string keys;
    for (const RampKey& key : node_ramp(p, p.ramp).keys)
      keys +=
          (keys.empty() ? "" : ", ") + number_text(key.position) + ": " + number_text(key.value);
    return keys;
  }
  if (p.type == ParameterType::kMenu) return p.menu[static_cast<std::size_t>(p.number)].token;
  if (p.type == ParameterType::kVector3)
    return number_text(p.vector.x()) + " " + number_text(p.vector.y()) + " " +
           number_text(p.vector.z());
  if (p.type == ParameterType::kBool) return p.number != 0 ? "on" : "off";
  return number_text(p.number);
}

std::string default_words(const NodeParameter& p) {
  using Type = NodeParameter::Type;
  if (p.type == Type::kToggle) return p.number != 0 ? "on" : "off";
  if (p.type == Type::kInt) return number_text(p.number);
  if (p.type == Type::kRange) return number_text(p.number) + " " + number_text(p.high);
  return p.text;
}

struct Row {
  std::string token, label, value, help;
};
std::vector<Row> rows(NodeKind kind, const DialogFolder& folder) {
  std::vector<Row> result;
  for (const std::string& token : folder.tokens) {
    if (const NodeParameter* own = find_node_parameter(kind, token)) {
      result.push_back({token, own->label, default_words(*own), own->help});
    } else {
      const Parameter& p = parameter(token);
      result.push_back({token, label_with_unit(p), default_words(p), p.help});
    }
  }
  return result;
}

void write_page_section(std::ostream& out, NodeKind kind, const char* title) {
  out << "\n## " << title << "\n";
  for (const DialogFolder& folder : dialog_folders(kind)) {
    out << "\n### " << folder.label
        << "\n\n| name | label | default | meaning |\n|---|---|---|---|\n";
    for (const Row& row : rows(kind, folder))
      out << "| `" << row.token << "` | " << row.label << " | "
          << (row.value.empty() ? "" : "`" + row.value + "`") << " | " << row.help << " |\n";
  }
}

}  // namespace

std::string dialog_script(NodeKind kind) {
  std::ostringstream out;
  out << "{\n    name        parameters\n";
  for (const DialogFolder& folder : dialog_folders(kind)) {
    out << "    group {\n        name        " << quoted(folder.token) << "\n        label       "
        << quoted(folder.label) << "\n";
    for (const std::string& token : folder.tokens) {
      if (const NodeParameter* own = find_node_parameter(kind, token))
        write_own(out, *own);
      else
        write_declared(out, parameter(token));
    }
    out << "    }\n";
  }
  out << "}\n";
  return out.str();
}

std::string node_parameters_page() {
  std::ostringstream out;
  out << "<!-- Made by `dashpot params --houdini`; do not edit. -->\n# Parameters of the Houdini "
         "nodes\n\nNames are those of the scene file. A primitive, point or detail attribute of "
         "the same name as a parameter\nunder Material or Damping is the value, element by "
         "element.\n";
  write_page_section(out, NodeKind::kSop, "SOP `dashpot::solver::1.0`");
  write_page_section(out, NodeKind::kDop, "DOP `dashpot_solver`");
  return out.str();
}

std::string node_help(NodeKind kind) {
  const bool sop = kind == NodeKind::kSop;
  std::ostringstream out;
  out << "#type: node\n#context: " << (sop ? "sop" : "dop")
      << "\n#internal: " << (sop ? "dashpot::solver::1.0" : "dashpot_solver")
      << "\n#icon: " << (sop ? "SOP/tetembed" : "DOP/femsolver") << "\n\n= Dashpot Solver =\n\n"
      << (sop ? "\"\"\"Simulates soft bodies of tets.\"\"\"\n\n"
                "@inputs\n\nTetrahedra:\n    Rest and initial state, with attributes.\n"
                "Animated Targets:\n    The same geometry, animated: where pinned points go.\n"
                "Colliders:\n    VDBs: signed distance, and optionally velocity.\n"
              : "\"\"\"Simulates the soft bodies of an object's geometry, one step.\"\"\"\n")
      << "\n@parameters\n";
  for (const DialogFolder& folder : dialog_folders(kind)) {
    out << "\n== " << folder.label << " ==\n";
    for (const Row& row : rows(kind, folder))
      out << "\n" << row.label << ":\n    #id: " << row.token << "\n    " << row.help << "\n";
  }
  return out.str();
}

}  // namespace dashpot
