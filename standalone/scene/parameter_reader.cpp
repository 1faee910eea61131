#include "standalone/scene/parameter_reader.h"

#include "solver/parameters/collider_coefficients.h"
#include "standalone/scene/table_reader.h"

namespace dashpot {

ParameterValue read_parameter(const TableReader& table, const Parameter& declaration) {
  const std::string& token = declaration.token;
  ParameterValue value;
  if (declaration.type == ParameterType::kVector3) {
    value.vector = *table.vector(token);
  } else if (declaration.type == ParameterType::kMenu) {
    value.number = menu_index(declaration, *table.text(token), table.where(token));
  } else {
    value.number =
        declaration.type == ParameterType::kBool ? *table.on_or_off(token) : *table.number(token);
    check_number(declaration, value.number, table.where(token));
  }
  return value;
}

SolverSettings read_solver_settings(const TableReader& table) {
  SolverSettings settings;
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kSolver && table.has(p.token))
      p.setting.set(read_parameter(table, p), settings);
  return settings;
}

Collider read_coefficients(const TableReader& table) {
  Collider collider = default_coefficients();
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kCollider && table.has(p.token))
      p.coefficient.set(read_parameter(table, p), collider);
  return collider;
}

BodyContact read_body_contact(const TableReader& table) {
  BodyContact contact;
  for (const Parameter& p : parameters())
    if (p.is_of_body_contact() && table.has(p.token))
      p.body_contact.set(read_parameter(table, p), contact);
  return contact;
}

ElementFields read_element_fields(const TableReader& table) {
  ElementFields fields;
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kPrim && table.has(p.token))
      fields.set(p.token, read_parameter(table, p).number, table.where(p.token));
  return fields;
}

}  // namespace dashpot
