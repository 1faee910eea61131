#include "standalone/scene/parameter_values.h"

#include <stdexcept>

#include "standalone/scene/table_reader.h"

namespace dashpot {
namespace {

using Setter = void (*)(SolverSettings&, const ParameterValue&);

const std::map<std::string, Setter>& solver_fields() {
  static const std::map<std::string, Setter> fields = {
      {"integrator",
       [](SolverSettings& s, const ParameterValue& v) {
         s.integrator = static_cast<Integrator>(static_cast<int>(v.number));
       }},
      {"substeps",
       [](SolverSettings& s, const ParameterValue& v) { s.substeps = static_cast<int>(v.number); }},
      {"timescale", [](SolverSettings& s, const ParameterValue& v) { s.timescale = v.number; }},
      {"gravity", [](SolverSettings& s, const ParameterValue& v) { s.gravity = v.vector; }},
      {"iterations", [](SolverSettings& s,
                        const ParameterValue& v) { s.iterations = static_cast<int>(v.number); }},
      {"tolerance", [](SolverSettings& s, const ParameterValue& v) { s.tolerance = v.number; }},
      {"laplaciandamping",
       [](SolverSettings& s, const ParameterValue& v) { s.laplacian_damping = v.number; }},
      {"secondorder",
       [](SolverSettings& s, const ParameterValue& v) { s.second_order = v.number != 0; }},
      {"conserveangular",
       [](SolverSettings& s, const ParameterValue& v) { s.conserve_angular = v.number != 0; }},
  };
  return fields;
}

}  // namespace

std::vector<std::string> tokens(ParameterScope scope) {
  std::vector<std::string> result;
  for (const Parameter& p : parameters())
    if (p.scope == scope) result.push_back(p.token);
  return result;
}

ParameterValue read_parameter(const TableReader& table, const Parameter& declaration) {
  const std::string& token = declaration.token;
  ParameterValue value;
  if (declaration.type == ParameterType::kVector3) {
    value.vector = *table.vector(token);
  } else if (declaration.type == ParameterType::kMenu) {
    value.number = menu_index(declaration, *table.text(token), table.where(token));
  } else {
    value.number = *table.number(token);
    check_number(declaration, value.number, table.where(token));
  }
  return value;
}

ParameterValues read_solver_parameters(const TableReader& table) {
  ParameterValues values;
  for (const Parameter& p : parameters()) {
    if (p.scope != ParameterScope::kSolver) continue;
    values[p.token] =
        table.has(p.token) ? read_parameter(table, p) : ParameterValue{p.number, p.vector};
  }
  return values;
}

SolverSettings make_solver_settings(const ParameterValues& values) {
  SolverSettings settings;
  for (const auto& [token, value] : values) {
    const auto field = solver_fields().find(token);
    if (field == solver_fields().end())
      throw std::logic_error("the solver parameter " + token + " has no field in SolverSettings");
    field->second(settings, value);
  }
  return settings;
}

ElementFields read_element_fields(const TableReader& table) {
  ElementFields fields;
  for (const Parameter& p : parameters())
    if (p.scope == ParameterScope::kPrim && table.has(p.token))
      fields.set(p.token, read_parameter(table, p).number, table.where(p.token));
  return fields;
}

}  // namespace dashpot
