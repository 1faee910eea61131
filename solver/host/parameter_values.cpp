#include "solver/host/parameter_values.h"

#include <stdexcept>

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
      {"stagesolver",
       [](SolverSettings& s, const ParameterValue& v) {
         s.stage_solver = static_cast<SolverChoice>(static_cast<int>(v.number));
       }},
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

}  // namespace dashpot
