#include "solver/host/node_values.h"

#include "solver/base/error.h"
#include "solver/host/parameter_values.h"

namespace dashpot {
namespace {

int component_count(const Parameter& p) {
  if (p.type == ParameterType::kRamp) return 0;  // has keys instead
  return p.type == ParameterType::kVector3 ? 3 : 1;
}

// The network's own forces say what gravity is.
bool node_has(NodeKind kind, const Parameter& p) {
  return kind == NodeKind::kSop || p.token != "gravity";
}

std::shared_ptr<const Ramp> read_ramp(const Parameter& p, const EvaluateRamp& evaluate,
                                      const std::string& where, Hash& hash) {
  std::vector<RampKey> keys = ramp_keys(p, evaluate(p), where);
  for (const RampKey& key : keys) {
    hash.add_value(key.position);
    hash.add_value(key.value);
    hash.add_value(static_cast<int>(key.interpolation));
  }
  return std::make_shared<const Ramp>(std::move(keys), where + ": " + p.token);
}

}  // namespace

std::string ramp_menu_item(int number) {
  static const char* const kItems[] = {"constant", "linear",  "catmull-rom", "monotonecubic",
                                       "bezier",   "bspline", "hermite"};
  return number >= 0 && number < 7 ? kItems[number] : "unknown";
}

RampInterpolation ramp_interpolation(const std::string& name) {
  for (std::size_t i = 0; i < ramp_interpolations().size(); ++i)
    if (ramp_interpolations()[i].token == name) return static_cast<RampInterpolation>(i);
  throw InputError("the ramp has a key with the interpolation " + name +
                   "; use linear, monotonecubic, catmull-rom or bezier.");
}

NodeValues read_node_values(NodeKind kind, const EvaluateParameter& evaluate,
                            const EvaluateRamp& evaluate_ramp) {
  const std::string where = "the node's parameters";
  NodeValues values;
  ParameterValues solver;
  Hash hash;
  for (const Parameter& p : parameters()) {
    ParameterValue value{p.number, p.vector};
    if (node_has(kind, p)) {
      for (int c = 0; c < component_count(p); ++c) {
        const double number = evaluate(p, c);
        check_number(p, number, where);
        hash.add_value(number);
        (p.type == ParameterType::kVector3 ? value.vector[c] : value.number) = number;
      }
    }
    if (p.scope == ParameterScope::kSolver)
      solver[p.token] = value;
    else if (p.scope == ParameterScope::kPrim)
      values.fields.set(p.token, value.number, where);
    else if (p.token == "pintoanimation")
      values.pin_all = value.number == 1;
    else if (p.type == ParameterType::kRamp)
      values.damping_ramp = read_ramp(p, evaluate_ramp, where, hash);
    else if (p.token == "friction")
      values.friction = value.number;
    else if (p.token == "restitution")
      values.restitution = value.number;
  }
  values.settings = make_solver_settings(solver);
  values.hash = hash.value();
  return values;
}

std::vector<std::string> differing_parameters(NodeKind kind, const EvaluateParameter& one,
                                              const EvaluateParameter& other) {
  std::vector<std::string> tokens;
  for (const Parameter& p : parameters()) {
    if (!node_has(kind, p)) continue;
    bool same = true;
    for (int c = 0; c < component_count(p); ++c) same = same && one(p, c) == other(p, c);
    if (!same) tokens.push_back(p.token);
  }
  return tokens;
}

}  // namespace dashpot
