#include "standalone/cli/parameter_json.h"

#include <algorithm>

#include "standalone/runs/collider_record.h"

namespace dashpot {
namespace {

Json value_json(const Parameter& declaration, const ParameterValue& value) {
  if (declaration.type == ParameterType::kVector3) return to_json(value.vector);
  if (declaration.type == ParameterType::kMenu)
    return declaration.menu[static_cast<std::size_t>(value.number)].token;
  if (declaration.type == ParameterType::kBool) return value.number != 0;
  if (declaration.type == ParameterType::kInt) return static_cast<long>(value.number);
  return value.number;
}

// One value, or the range of values that differ from tet to tet.
Json field_json(const Parameter& declaration, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  Json from = value_json(declaration, {*low, Vec3::Zero()});
  if (*low == *high) return from;
  return {{"from", from}, {"to", value_json(declaration, {*high, Vec3::Zero()})}};
}

}  // namespace

Json body_parameters_json(const Body& body) {
  Json values = Json::object();
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kPrim)
      values[p.token] = field_json(p, body.fields.expand(p.token, body.mesh.tet_count()));
    else if (p.is_of_body_contact())
      values[p.token] = value_json(p, p.body_contact.get(body.contact));
  return values;
}

Json solver_parameters_json(const SceneFile& scene) {
  Json values = Json::object();
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kSolver)
      values[p.token] = value_json(p, p.setting.get(scene.scene.settings));
  return values;
}

Json default_json(const Parameter& declaration) {
  return value_json(declaration, {declaration.number, declaration.vector});
}

Json colliders_json(const SceneFile& scene) {
  Json list = Json::array();
  for (std::size_t c = 0; c < scene.collider_sources.size(); ++c)
    list.push_back(collider_json(scene.scene.colliders[c], scene.collider_sources[c]));
  return list;
}

}  // namespace dashpot
