#include "solver/host/node_values.h"

#include "solver/host/parameter_values.h"

namespace dashpot {
namespace {

int component_count(const Parameter& p) {
  return p.type == ParameterType::kVector3 ? 3 : 1;
}

// The network's own forces say what gravity is.
bool node_has(NodeKind kind, const Parameter& p) {
  return kind == NodeKind::kSop || p.token != "gravity";
}

}  // namespace

NodeValues read_node_values(NodeKind kind, const EvaluateParameter& evaluate) {
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
