#include "solver/host/node_values.h"

#include "solver/dissipation/ramp_scale.h"
#include "solver/parameters/parameters.h"

namespace dashpot {
namespace {

int component_count(const Parameter& p) {
  if (p.type == ParameterType::kRamp) return 0;  // has keys instead
  return p.type == ParameterType::kVector3 ? 3 : 1;
}

bool uses_ramp(const NodeValues& values, const GeometryView& geometry) {
  const std::string mode = "dampingrampmode";
  if (values.fields.get(mode, 0) != static_cast<double>(RampMode::kOff)) return true;
  for (const AttributeOwner owner :
       {AttributeOwner::kPoint, AttributeOwner::kPrimitive, AttributeOwner::kDetail})
    if (geometry.find(owner, mode)) return true;
  return false;
}

constexpr const char* kWhere = "the node's parameters";

}  // namespace

void read_node_ramp(const EvaluateRamp& evaluate, const GeometryView& geometry,
                    NodeValues& values) {
  if (!uses_ramp(values, geometry)) return;
  const Parameter& declared = parameter("dampingramp");
  std::vector<RampKey> keys = ramp_keys(declared, evaluate(declared), kWhere);
  Hash hash;
  hash.add_value(values.hash);
  for (const RampKey& key : keys) {
    hash.add_value(key.position);
    hash.add_value(key.value);
    hash.add_value(static_cast<int>(key.interpolation));
  }
  values.hash = hash.value();
  values.damping_ramp =
      std::make_shared<const Ramp>(std::move(keys), std::string(kWhere) + ": " + declared.token);
}

NodeValues read_node_values(NodeKind kind, const EvaluateParameter& evaluate) {
  NodeValues values;
  Hash hash;
  for (const Parameter& p : parameters()) {
    ParameterValue value{p.number, p.vector};
    if (node_has(kind, p)) {
      for (int c = 0; c < component_count(p); ++c) {
        const double number = evaluate(p, c);
        check_number(p, number, kWhere);
        hash.add_value(number);
        (p.type == ParameterType::kVector3 ? value.vector[c] : value.number) = number;
      }
    }
    if (p.scope == ParameterScope::kSolver)
      p.setting.set(value, values.settings);
    else if (p.scope == ParameterScope::kPrim)
      values.fields.set(p.token, value.number, kWhere);
    else if (p.token == "pintoanimation")
      values.pin_all = value.number == 1;
    else if (p.scope == ParameterScope::kCollider)
      p.coefficient.set(value, values.collider);
    if (p.is_of_body_contact()) p.body_contact.set(value, values.contact);
  }
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
